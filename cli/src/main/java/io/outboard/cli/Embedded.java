// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli;

import io.outboard.backend.Daemon;
import io.outboard.communicator.Endpoint;
import io.outboard.communicator.Posix;
import io.outboard.communicator.Processes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A backend for one program, started by the launcher before it becomes the program. It listens on a
 * private socket, says where on standard output, closes that, and ends with the program.
 */
public final class Embedded {
  private static final int STANDARD_OUTPUT = 1;
  private static final int FOR_EVER = -1;

  private Embedded() {}

  /**
   * Runs it.
   *
   * @param arguments the program's process number; the devices to serve, as in {@code serve
   *     --device}
   */
  public static void main(String[] arguments) {
    try {
      serve(Integer.parseInt(arguments[0]), arguments[1]);
    } catch (IOException | IllegalArgumentException e) {
      System.err.println("outboard: " + e.getMessage());
      Runtime.getRuntime().halt(1);
    }
    // Workers that are busy must not hold up the end.
    Runtime.getRuntime().halt(0);
  }

  private static void serve(int program, String devices) throws IOException {
    int watched = Processes.pidfdOpen(program);
    Path folder = Files.createTempDirectory("outboard");
    Path socket = folder.resolve("backend.sock");
    Endpoint endpoint = Endpoint.unix(socket.toString());
    try (Daemon daemon =
        Daemon.builder()
            .listen(endpoint)
            .devices(devices)
            .quiet(true)
            .jvmOptions(WorkerOptions.ofThisProcess())
            .start()) {
      announce(daemon.endpoints().getFirst());
      if (watched >= 0) {
        Posix.poll(watched, Posix.POLLIN, FOR_EVER);
      }
    } finally {
      Files.deleteIfExists(socket);
      Files.deleteIfExists(folder);
    }
  }

  /** The launcher reads to the end, so this must be all that it ever gets. */
  private static void announce(Endpoint endpoint) {
    System.out.println(endpoint);
    System.out.flush();
    Posix.close(STANDARD_OUTPUT);
  }
}
