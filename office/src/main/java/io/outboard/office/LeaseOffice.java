// SPDX-License-Identifier: Apache-2.0
package io.outboard.office;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outboard.api.json.Ordered;
import io.outboard.lease.Identity;
import io.outboard.lease.account.Standing;
import io.outboard.office.rest.Fields;
import io.outboard.office.rest.RestClient;
import io.outboard.office.rest.RestException;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The HTTP interface of leases ({@code docs/openapi.json}), asked with an operator's token: it acts
 * for the tenants of many projects.
 */
public final class LeaseOffice {
  private static final int UNAVAILABLE = 503;
  private static final int MOST_TEXT = 256;
  private static final int PAGE = 500;

  private final List<URI> servers;
  private final String token;
  private final RestClient rest;
  private final AtomicInteger asked = new AtomicInteger();

  /**
   * Makes one.
   *
   * @param servers of one pool; the next one is asked where one does not answer
   */
  public LeaseOffice(List<URI> servers, String token, RestClient rest) {
    this.servers = List.copyOf(servers);
    this.token = token;
    this.rest = rest;
  }

  /**
   * The GPUs that somebody is to have.
   *
   * @param standing on whose account
   * @param type of the consumer, as {@link Identity#VM}
   * @param id the consumer's, by which the lease is found again
   * @param consumer who uses it, for people
   * @param idle how long the GPUs may be idle before others can have them; zero for the node's
   *     limit
   */
  public record Request(
      Standing standing,
      String type,
      String id,
      String consumer,
      Part part,
      Duration life,
      Duration idle) {
    /** Those of a virtual machine. */
    public Request(
        Standing standing,
        String machine,
        String consumer,
        Part part,
        Duration life,
        Duration idle) {
      this(standing, Identity.VM, machine, consumer, part, life, idle);
    }

    /** It stays while nobody reads it, as a machine may take long to begin. */
    private Map<String, Object> body() {
      Map<String, Object> body = part.body();
      body.putAll(
          Ordered.of(
              "seconds",
              life.toSeconds(),
              "tenant",
              standing.tenant(),
              "keep",
              0,
              "idleSuspend",
              idle.toSeconds(),
              "consumer",
              cut(consumer),
              "consumerType",
              type,
              "consumerId",
              id,
              "user",
              standing.user(),
              "fqan",
              standing.fqanText()));
      return body;
    }
  }

  /** A token of the interface for a tenant's member. */
  public record Issued(String secret, String expires) {}

  /** All devices. */
  public List<Device> devices() throws IOException {
    return ask("GET", "/v1/devices", null).objects("devices").stream().map(Device::of).toList();
  }

  /** The leases that are not over, of all tenants. */
  public List<Lease> leases() throws IOException {
    List<Lease> all = new ArrayList<>();
    String cursor = "";
    do {
      Fields page = ask("GET", "/v1/leases?limit=" + PAGE + cursor, null);
      page.objects("leases").stream().map(Lease::of).forEach(all::add);
      String next = page.text("next");
      cursor = next.isEmpty() ? "" : "&cursor=" + URLEncoder.encode(next, UTF_8);
    } while (!cursor.isEmpty());
    return all;
  }

  /** A lease with the token of its programs. */
  public Lease find(String id) throws IOException {
    return Lease.of(ask("GET", path(id, ""), null));
  }

  /** A lease with its token; empty for one that is not known. */
  public Optional<Lease> known(String id) throws IOException {
    try {
      return Optional.of(find(id));
    } catch (RestException e) {
      if (e.status() == RestException.NOT_FOUND) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /** Whether a lease is over; one that is not known is another office's. */
  public boolean isOver(String id) throws IOException {
    return known(id).filter(Lease::isOver).isPresent();
  }

  /** Asks for a lease, which may have to wait. */
  public Lease request(Request wanted) throws IOException {
    return Lease.of(ask("POST", "/v1/leases", wanted.body()));
  }

  /** Has a lease end so long after now. */
  public void renew(String id, Duration life) throws IOException {
    Fields unused = ask("POST", path(id, "/renew"), Map.of("seconds", life.toSeconds()));
  }

  /** Ends a lease; one that is over already stays so. */
  public void release(String id, String reason) throws IOException {
    try {
      change(id, "/release", reason);
    } catch (RestException e) {
      if (e.status() != RestException.NOT_FOUND && e.status() != RestException.CONFLICT) {
        throw e;
      }
    }
  }

  /** Puts aside what a lease has on its GPUs, until it is resumed. */
  public void suspend(String id, String reason) throws IOException {
    change(id, "/suspend", reason);
  }

  public void resume(String id) throws IOException {
    change(id, "/resume", "");
  }

  private void change(String id, String verb, String reason) throws IOException {
    Fields unused = ask("POST", path(id, verb), Map.of("reason", cut(reason)));
  }

  /** Makes a token for somebody. */
  public Issued issue(Standing standing, String note, Duration life) throws IOException {
    Map<String, Object> wanted =
        Ordered.of(
            "role", standing.role().label(),
            "tenant", standing.tenant(),
            "user", standing.user(),
            "fqan", standing.fqanText(),
            "note", cut(note),
            "seconds", life.toSeconds());
    Fields made = ask("POST", "/v1/tokens", wanted);
    return new Issued(made.text("secret"), made.text("expires"));
  }

  private static String path(String lease, String verb) {
    return "/v1/leases/" + URLEncoder.encode(lease, UTF_8) + verb;
  }

  /** Texts of the cloud have no control characters here, and no more than the interface takes. */
  static String cut(String text) {
    String plain = text.replaceAll("\\p{Cc}", "?");
    return plain.substring(0, Math.min(plain.length(), MOST_TEXT));
  }

  private Fields ask(String method, String path, Object body) throws IOException {
    for (int left = servers.size(); ; left--) {
      int which = asked.get();
      try {
        Map<String, String> headers = Map.of("Authorization", "Bearer " + token);
        return rest.ask(method, servers.get(which).resolve(path), headers, body).body();
      } catch (IOException e) {
        boolean answered = e instanceof RestException told && told.status() != UNAVAILABLE;
        if (answered || left <= 1) {
          throw e;
        }
        boolean unused = asked.compareAndSet(which, (which + 1) % servers.size());
      }
    }
  }
}
