// SPDX-License-Identifier: Apache-2.0
package io.outboard.openstack.cloud;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outboard.api.json.Ordered;
import io.outboard.office.rest.Fields;
import io.outboard.office.rest.RestException;
import java.io.IOException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The machines of Nova's that are there for a lease, and end with it (Compute API, microversion
 * 2.61). A tag has them be found, and metadata have the lease's id.
 */
public final class LeaseMachines {
  private static final String TAG = "outboard-lease";
  private static final String LEASE = "outboard_lease";
  private static final int PAGE = 1_000;
  private static final String SERVERS = "/servers";

  private final CloudService service;
  private final Nova nova;

  public LeaseMachines(Keystone keystone) {
    service = new CloudService(keystone, "compute", "compute 2.61");
    nova = new Nova(keystone);
  }

  /**
   * A machine to make.
   *
   * @param flavor its name
   * @param image its id
   * @param network {@code auto}, {@code none}, or the id of one
   */
  public record Wanted(
      String lease, String flavor, String image, String network, String userData) {}

  /** A machine that is there for a lease. */
  public record Found(String id, String lease) {}

  /** Makes one; returns its id. */
  public String make(Wanted wanted) throws IOException {
    Map<String, Object> server =
        Ordered.of(
            "name", "lease-" + wanted.lease(),
            "flavorRef", flavor(wanted.flavor()),
            "imageRef", wanted.image(),
            "networks", networks(wanted.network()),
            "user_data", Base64.getEncoder().encodeToString(wanted.userData().getBytes(UTF_8)),
            "metadata", Map.of(LEASE, wanted.lease()),
            "tags", List.of(TAG));
    return service.ask("POST", SERVERS, Map.of("server", server)).object("server").text("id");
  }

  private static Object networks(String network) {
    return network.equals("auto") || network.equals("none")
        ? network
        : List.of(Map.of("uuid", network));
  }

  private String flavor(String name) throws IOException {
    return nova.kinds().stream()
        .filter(one -> one.name().equals(name))
        .map(Nova.Kind::id)
        .findFirst()
        .orElseThrow(() -> new IOException("the cloud has no flavor '%s'".formatted(name)));
  }

  /** The status of one, as {@code ACTIVE}; empty where it is gone. */
  public Optional<String> status(String id) throws IOException {
    return nova.server(id).map(Nova.Server::status);
  }

  /** Where one is reached, once it has an address. */
  public Optional<String> address(String id) throws IOException {
    Fields addresses = service.get(SERVERS + "/" + id).object("server").object("addresses");
    return addresses.names().stream()
        .flatMap(name -> addresses.objects(name).stream())
        .map(one -> one.text("addr"))
        .filter(text -> !text.isEmpty())
        .findFirst();
  }

  /** Has Nova keep one as it stands, on its host's disk. */
  public void suspend(String id) throws IOException {
    act(id, "suspend");
  }

  public void resume(String id) throws IOException {
    act(id, "resume");
  }

  private void act(String id, String what) throws IOException {
    Fields unused = service.ask("POST", SERVERS + "/" + id + "/action", Ordered.of(what, null));
  }

  /** Ends one; one that is gone stays so. */
  public void delete(String id) throws IOException {
    try {
      Fields unused = service.ask("DELETE", SERVERS + "/" + id, null);
    } catch (RestException e) {
      if (e.status() != RestException.NOT_FOUND) {
        throw e;
      }
    }
  }

  /** Those of all projects, which an account of the cloud's services may see. */
  public List<Found> all() throws IOException {
    return found(
        service
            .get("%s/detail?all_tenants=1&limit=%d&tags=%s".formatted(SERVERS, PAGE, TAG))
            .objects("servers")
            .stream());
  }

  private static List<Found> found(Stream<Fields> servers) {
    return servers
        .map(one -> new Found(one.text("id"), one.object("metadata").text(LEASE)))
        .filter(one -> !one.lease().isEmpty())
        .toList();
  }
}
