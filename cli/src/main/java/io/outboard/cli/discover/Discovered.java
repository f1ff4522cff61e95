// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.discover;

import io.outboard.api.json.Ordered;
import io.outboard.cli.command.Answer;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * One that has announced itself.
 *
 * @param said what it has said
 * @param address from where
 */
public record Discovered(Announcement said, InetAddress address) {
  private static final String ROW = "%-8s %-36s %5s  %s";

  private static final Comparator<Discovered> ORDER =
      Comparator.comparing((Discovered one) -> one.said().role()).thenComparing(Discovered::uri);

  /** A table of them, and the same as JSON. */
  public static Answer table(List<Discovered> all) {
    List<Discovered> sorted = all.stream().sorted(ORDER).toList();
    return Answer.table(
        sorted.stream().map(Discovered::json).toList(),
        ROW.formatted("role", "where", "GPUs", "model"),
        sorted.stream().map(Discovered::row));
  }

  private String row() {
    String gpus = said.gpus() == 0 ? "-" : Integer.toString(said.gpus());
    return ROW.formatted(said.role(), uri(), gpus, said.model()).stripTrailing();
  }

  private Map<String, Object> json() {
    return Ordered.of(
        "role", said.role(),
        "uri", uri(),
        "gpus", said.gpus(),
        "model", said.model(),
        "api", said.api().isEmpty() ? null : said.api());
  }

  /** Where clients connect to: by the name that a certificate has, else by its address. */
  String uri() {
    return "%s://%s:%d".formatted(said.scheme(), named() ? said.host() : numeric(), said.port());
  }

  private boolean named() {
    return said.host().matches(".*[A-Za-z].*") && !said.host().contains(":");
  }

  private String numeric() {
    try {
      String text = InetAddress.getByAddress(address.getAddress()).getHostAddress();
      return address instanceof Inet6Address ? "[" + text + "]" : text;
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }
}
