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
 * A backend for one program, started by the launcher before it becomes the program. It listens in a
 * private folder, says where on standard output, and ends with the program, folder included.
 */
public final class Embedded {
  private static final int FOR_EVER = -1;

  private Embedded() {}

  /**
   * Runs it.
   *
   * @param arguments the program's process number; the folder; the devices to serve, as in {@code
   *     serve --device}; how many workers to keep ready
   */
  public static void main(String[] arguments) {
    try {
      serve(
          Integer.parseInt(arguments[0]),
          Path.of(arguments[1]),
          arguments[2],
          Integer.parseInt(arguments[3]));
    } catch (IOException | IllegalArgumentException e) {
      System.err.println("outboard: " + e.getMessage());
      Runtime.getRuntime().halt(1);
    }
    // Workers that are busy must not hold up the end.
    Runtime.getRuntime().halt(0);
  }

  private static void serve(int program, Path folder, String devices, int workers)
      throws IOException {
    int watched = Processes.pidfdOpen(program);
    Path socket = folder.resolve("backend.sock");
    try (Daemon daemon =
        Daemon.builder()
            .listen(Endpoint.unix(socket.toString()))
            .devices(devices)
            .quiet(true)
            .spareWorkers(workers)
            .jvmOptions(WorkerOptions.ofThisProcess())
            .start()) {
      System.out.println(daemon.endpoints().getFirst());
      System.out.flush();
      if (watched >= 0) {
        Posix.poll(watched, Posix.POLLIN, FOR_EVER);
      }
    } finally {
      Files.deleteIfExists(socket);
      Files.deleteIfExists(folder);
    }
  }
}
