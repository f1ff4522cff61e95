// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.discover;

import io.outboard.lease.Form;
import io.outboard.wire.Printable;
import java.util.Map;
import java.util.Set;

/**
 * The words of one about itself on its network, as the attributes of a service (RFC 6763, 6). It
 * may come from anybody: it has known words, a short text and small numbers, or is none.
 *
 * @param role backend or broker
 * @param scheme of the endpoint where clients connect to: tcp or tls
 * @param host that endpoint's, as its operator named it: a name, an address, or all addresses
 * @param port its port
 * @param gpus how many it has; 0 where it does not say that
 * @param model theirs, or of the first of several
 * @param api the URL of its HTTP interface, or empty
 */
public record Announcement(
    String role, String scheme, String host, int port, int gpus, String model, String api) {
  /** Backends and brokers of Outboard; the name is not registered with IANA. */
  static final String TYPE = "_outboard._tcp.local.";

  /** The role of one that serves programs. */
  public static final String BACKEND = "backend";

  /** The role of one that leases the GPUs of others. */
  public static final String BROKER = "broker";

  private static final Set<String> ROLES = Set.of(BACKEND, BROKER);
  private static final Set<String> SCHEMES = Set.of("tcp", "tls");
  private static final String HOST = "[A-Za-z0-9:][A-Za-z0-9.:-]{0,252}";
  private static final String URL = "https?://[A-Za-z0-9.:\\[\\]-]{1,260}/?";
  private static final int MOST_TEXT = 64;
  private static final int MOST_GPUS = 1_000_000;
  private static final int MOST_PORT = 0xffff;

  /** Checks what it says. */
  public Announcement {
    expect(ROLES.contains(role), "role");
    expect(SCHEMES.contains(scheme), "scheme");
    expect(host.isEmpty() || host.matches(HOST), "host");
    expect(port > 0 && port <= MOST_PORT, "port");
    expect(gpus >= 0 && gpus <= MOST_GPUS, "gpus");
    expect(api.isEmpty() || api.matches(URL), "api");
    model = Printable.of(model.substring(0, Math.min(model.length(), MOST_TEXT)));
  }

  private static void expect(boolean right, String what) {
    if (!right) {
      throw new IllegalArgumentException("no announcement has such a " + what);
    }
  }

  /**
   * Reads one that was heard.
   *
   * @throws IllegalArgumentException if it is none
   */
  static Announcement of(Form attributes, int port) {
    return new Announcement(
        attributes.get("role"),
        attributes.get("scheme"),
        attributes.get("host"),
        port,
        Math.clamp(attributes.number("gpus", 0), -1, MOST_GPUS),
        attributes.get("model"),
        attributes.get("api"));
  }

  /** The names of the attributes. */
  static Set<String> names() {
    return Set.of("role", "scheme", "host", "gpus", "model", "api");
  }

  /** The attributes. */
  Map<String, String> attributes() {
    return Map.of(
        "role", role, "scheme", scheme, "host", host, "gpus", "" + gpus, "model", model, "api",
        api);
  }

  /** A line for the process that announces it. */
  Form form() {
    Form form = new Form().with("port", port);
    attributes().forEach(form::with);
    return form;
  }
}
