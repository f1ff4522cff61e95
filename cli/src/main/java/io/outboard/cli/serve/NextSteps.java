// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.serve;

import io.outboard.client.find.Backends;
import io.outboard.communicator.Endpoint;
import java.util.List;
import java.util.stream.Stream;

/** The command to type next, for those who have started a backend. */
final class NextSteps {
  private NextSteps() {}

  /**
   * A line that names it.
   *
   * @param endpoints where the backend serves
   * @param lease whether a program wants a lease
   */
  static String line(List<Endpoint> endpoints, boolean lease) {
    Backends backends = new Backends();
    String own = ListenOptions.own(endpoints).toString();
    boolean found =
        Stream.concat(backends.userSocket().stream(), Stream.of(backends.systemSocket()))
            .anyMatch(socket -> own.equals(Endpoint.unix(socket.toString()).toString()));
    String on = found ? "" : " --on " + own;
    String run =
        lease
            ? "eval \"$(outboard lease%s)\"; outboard run -- PROGRAM".formatted(on)
            : "outboard run%s -- PROGRAM".formatted(on);
    return "next, in another shell: " + run;
  }
}
