// SPDX-License-Identifier: Apache-2.0
package io.outboard.openstack.grant;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outboard.api.http.AddressBlock;
import io.outboard.api.http.HttpHandler;
import io.outboard.api.http.Origin;
import io.outboard.api.http.Problem;
import io.outboard.api.http.RateLimit;
import io.outboard.api.http.Reply;
import io.outboard.api.http.Request;
import io.outboard.api.json.Ordered;
import io.outboard.openstack.cloud.CloudToken;
import io.outboard.openstack.cloud.Keystone;
import io.outboard.openstack.office.Lease;
import io.outboard.openstack.rest.Fields;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The requests of Nova and of users to the adapter. {@code POST /v1/vendordata} is Nova's target of
 * dynamic vendor data ("DynamicJSON"), {@code POST /v1/token} exchanges a token of Keystone's, and
 * {@code GET /v1/stale} has machines that do not use what they hold; all want a token in {@code
 * X-Auth-Token}. {@code GET /healthz} wants none.
 */
public final class MachineEndpoint implements HttpHandler {
  private static final System.Logger LOG = System.getLogger(MachineEndpoint.class.getName());
  private static final String HEALTH = "/healthz";
  private static final String VENDORDATA = "/v1/vendordata";
  private static final String TOKEN = "/v1/token";
  private static final String STALE = "/v1/stale";
  private static final int MOST_NAME = 200;

  /** Nova sends a machine's user data along, of up to 64 KiB, and its metadata. */
  private static final int MOST_BYTES = 256 << 10;

  private static final Set<String> OF_MACHINES = Set.of("tls", "tcp", "vsock", "virtio", "xen");

  private final Keystone keystone;
  private final MachineLeases machines;
  private final TokenExchange exchange;
  private final StaleMachines stale;
  private final RateLimit limit;
  private final String serviceRole;

  /**
   * Makes one.
   *
   * @param limit of requests of an address
   * @param serviceRole that the account has which Nova asks with; users of the cloud do not
   */
  public MachineEndpoint(
      Keystone keystone,
      MachineLeases machines,
      TokenExchange exchange,
      StaleMachines stale,
      RateLimit limit,
      String serviceRole) {
    this.keystone = keystone;
    this.machines = machines;
    this.exchange = exchange;
    this.stale = stale;
    this.limit = limit;
    this.serviceRole = serviceRole;
  }

  @Override
  public Reply handle(Request request) {
    try {
      return answer(request);
    } catch (Problem e) {
      return e.reply();
    } catch (IOException e) {
      LOG.log(System.Logger.Level.WARNING, "a request is not answered: " + e.getMessage());
      return new Problem(Problem.UNAVAILABLE, "a service does not answer; the log has more")
          .reply();
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.ERROR, "a request failed", e);
      return new Problem(Problem.MISTAKE, "a mistake of the server; its log has more").reply();
    }
  }

  private Reply answer(Request request) throws Problem, IOException {
    String block = AddressBlock.of(request.address()).text();
    if (!limit.admits((isHealth(request) ? "health " : "") + block)) {
      throw new Problem(Problem.TOO_MANY, "slower, please");
    }
    return switch (request.path()) {
      case HEALTH -> Reply.of(Map.of("status", "ok"));
      case VENDORDATA -> vendordata(post(request));
      case TOKEN -> token(post(request));
      case STALE -> stale(request);
      default -> throw new Problem(Problem.NOT_FOUND, "there is nothing of that name");
    };
  }

  private Reply stale(Request request) throws Problem, IOException {
    checkService(request);
    return Reply.of(Map.of("machines", stale.list()));
  }

  private static Request post(Request request) throws Problem {
    if (!request.method().equals("POST")) {
      throw new Problem(Problem.METHOD_NOT_ALLOWED, "this takes POST");
    }
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
    Fields body = body(request);
    String id = body.uuid("instance-id");
    if (id.isEmpty()) {
      throw new Problem(Problem.IMPOSSIBLE, "instance-id is no UUID");
    }
    String name = body.text("hostname");
    return new Machine(
        id, body.text("project-id"), name.substring(0, Math.min(name.length(), MOST_NAME)));
  }

  private static Fields body(Request request) throws Problem {
    if (request.body().length > request.most()) {
      throw new Problem(Problem.TOO_LARGE, "the body is too long");
    }
    try {
      return Fields.read(new String(request.body(), UTF_8));
    } catch (IllegalArgumentException e) {
      throw new Problem(Problem.BAD_REQUEST, e.getMessage());
    }
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
  public Reply tooBusy() {
    return new Problem(Problem.UNAVAILABLE, "too many requests are at work").reply();
  }

  @Override
  public boolean isHealth(Request request) {
    return request.path().equals(HEALTH);
  }

  @Override
  public int mostBytes() {
    return MOST_BYTES;
  }

  @Override
  public Optional<String> known(Origin origin) {
    return Optional.empty();
  }
}
