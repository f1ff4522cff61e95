// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.serve;

import io.outboard.cli.command.Tools;
import io.outboard.client.find.Backends;
import io.outboard.communicator.Endpoint;
import java.nio.file.Path;
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
   * @param cuda whether programs of CUDA are served, or of OpenCL alone
   */
  static String line(List<Endpoint> endpoints, boolean lease, boolean cuda) {
    Backends backends = new Backends();
    String own = ListenOptions.own(endpoints).toString();
    boolean found =
        Stream.of(backends.userSocket(), backends.systemSocket())
            .anyMatch(socket -> own.equals(Endpoint.unix(socket.toString()).toString()));
    String on = found ? "" : " --on " + own;
    String program = cuda ? Tools.example().map(Path::toString).orElse("PROGRAM") : "clinfo -l";
    String run =
        lease
            ? "eval \"$(outboard lease%s)\"; outboard run -- %s".formatted(on, program)
            : "outboard run%s -- %s".formatted(on, program);
    return "next, in another shell: " + run;
  }
}
