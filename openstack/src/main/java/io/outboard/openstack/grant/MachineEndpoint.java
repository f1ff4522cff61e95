// SPDX-License-Identifier: Apache-2.0
package io.outboard.openstack.grant;

import io.outboard.api.http.Problem;
import io.outboard.api.http.RateLimit;
import io.outboard.api.http.Reply;
import io.outboard.api.http.Request;
import io.outboard.api.http.ServiceEndpoint;
import io.outboard.api.json.Ordered;
import io.outboard.office.Lease;
import io.outboard.office.rest.Fields;
import io.outboard.openstack.cloud.CloudToken;
import io.outboard.openstack.cloud.Keystone;
import io.outboard.openstack.offer.ClientPackages;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The requests of Nova and of users to the adapter. {@code POST /v1/vendordata} is Nova's target of
 * dynamic vendor data ("DynamicJSON"), {@code POST /v1/token} exchanges a token of Keystone's, and
 * {@code GET /v1/stale} has machines that do not use what they hold; all want a token in {@code
 * X-Auth-Token}. {@code GET /packages/NAME} has a package of the client, and {@code GET /healthz}
 * says that this is here: both want none.
 */
public final class MachineEndpoint extends ServiceEndpoint {
  private static final String VENDORDATA = "/v1/vendordata";
  private static final String TOKEN = "/v1/token";
  private static final String STALE = "/v1/stale";
  private static final String PACKAGES = "/packages/";
  private static final String PACKAGE_TYPE = "application/vnd.debian.binary-package";
  private static final int MOST_NAME = 200;

  /** Nova sends a machine's user data along, of up to 64 KiB, and its metadata. */
  private static final int MOST_BYTES = 256 << 10;

  private static final Set<String> OF_MACHINES = Set.of("tls", "tcp", "vsock", "virtio", "xen");

  private final Keystone keystone;
  private final MachineLeases machines;
  private final TokenExchange exchange;
  private final StaleMachines stale;
  private final ClientPackages packages;
  private final String serviceRole;

  /**
   * Makes one.
   *
   * @param packages for everybody
   * @param limit of requests of an address
   * @param serviceRole that the account has which Nova asks with; users of the cloud do not
   */
  public MachineEndpoint(
      Keystone keystone,
      MachineLeases machines,
      TokenExchange exchange,
      StaleMachines stale,
      ClientPackages packages,
      RateLimit limit,
      String serviceRole) {
    super(limit);
    this.keystone = keystone;
    this.machines = machines;
    this.exchange = exchange;
    this.stale = stale;
    this.packages = packages;
    this.serviceRole = serviceRole;
  }

  @Override
  protected Reply answer(Request request) throws Problem, IOException {
    return switch (request.path()) {
      case VENDORDATA -> vendordata(post(request));
      case TOKEN -> token(post(request));
      case STALE -> stale(request);
      default -> packageOf(request);
    };
  }

  private Reply packageOf(Request request) throws Problem, IOException {
    if (!request.path().startsWith(PACKAGES)) {
      throw unknown();
    }
    if (!request.method().equals("GET")) {
      throw new Problem(Problem.METHOD_NOT_ALLOWED, "this takes GET");
    }
    byte[] bytes =
        packages
            .read(request.path().substring(PACKAGES.length()))
            .orElseThrow(ServiceEndpoint::unknown);
    return new Reply(Reply.OK, PACKAGE_TYPE, bytes, Map.of(), Optional.empty());
  }

  private Reply stale(Request request) throws Problem, IOException {
    checkService(request);
    return Reply.of(Map.of("machines", stale.list()));
  }

  private static Request post(Request request) throws Problem {
    checkPost(request);
    return request;
  }

  private CloudToken caller(Request request) throws Problem, IOException {
    return keystone
        .check(request.headers().getOrDefault("x-auth-token", ""))
        .orElseThrow(
            () ->
                new Problem(
                    Problem.UNAUTHORIZED, "a good token of Keystone is wanted: X-Auth-Token"));
  }

  private Reply vendordata(Request request) throws Problem, IOException {
    checkService(request);
    Optional<Lease> lease = machines.grant(machine(request));
    return Reply.of(lease.map(MachineEndpoint::told).orElse(Map.of()));
  }

  private void checkService(Request request) throws Problem, IOException {
    if (!caller(request).roles().contains(serviceRole)) {
      throw new Problem(
          Problem.FORBIDDEN, "this is for the cloud's services, with the role " + serviceRole);
    }
  }

  private static Machine machine(Request request) throws Problem {
    Fields body = Fields.of(request);
    String id = body.uuid("instance-id");
    if (id.isEmpty()) {
      throw new Problem(Problem.IMPOSSIBLE, "instance-id is no UUID");
    }
    String name = body.text("hostname");
    return new Machine(
        id, body.text("project-id"), name.substring(0, Math.min(name.length(), MOST_NAME)));
  }

  /** One without a token has to wait: the guest asks again. */
  private static Map<String, Object> told(Lease lease) {
    return Ordered.of(
        "lease", lease.id(),
        "state", lease.state(),
        "reason", lease.reason(),
        "gpus", lease.gpus(),
        "memory", lease.memory(),
        "model", lease.wanted(),
        "endpoints", lease.endpoints().stream().filter(MachineEndpoint::isForMachines).toList(),
        "token", lease.token(),
        "expires", lease.expires().map(Instant::toString).orElse(""));
  }

  /** A machine reaches no socket of its host's. */
  private static boolean isForMachines(String endpoint) {
    return OF_MACHINES.contains(endpoint.split(":", 2)[0]);
  }

  private Reply token(Request request) throws Problem, IOException {
    CloudToken caller = caller(request);
    return Reply.of(
        Reply.CREATED,
        exchange
            .exchange(caller)
            .orElseThrow(() -> new Problem(Problem.FORBIDDEN, "no role of the token is one here")));
  }

  @Override
  public int mostBytes() {
    return MOST_BYTES;
  }
}
