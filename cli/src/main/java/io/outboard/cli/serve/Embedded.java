// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.serve;

import io.outboard.backend.daemon.Daemon;
import io.outboard.backend.daemon.DaemonBuilder;
import io.outboard.backend.library.DeviceChoice;
import io.outboard.cli.device.DeviceList;
import io.outboard.communicator.Endpoint;
import io.outboard.communicator.posix.Processes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A backend for one program, started by the launcher before it becomes the program. It listens in a
 * private folder and ends with the program, or with the last session of the processes that the
 * program left behind; folder included. Its one line on standard output is for the launcher: where
 * it listens, or {@code failed} and the exit status, when standard error says why; the launcher
 * then removes the folder.
 */
public final class Embedded {
  private static final int FAILED = 1;
  private static final int MISUSED = 2;

  private Embedded() {}

  /**
   * Runs it.
   *
   * @param arguments the program's process number; the folder; the devices to serve, as in {@code
   *     serve --device}; how many workers to keep ready
   */
  public static void main(String[] arguments) throws InterruptedException {
    int status = 0;
    Processes.hide();
    try {
      serve(
          Integer.parseInt(arguments[0]),
          Path.of(arguments[1]),
          DeviceChoice.parse(arguments[2]),
          Integer.parseInt(arguments[3]));
    } catch (IOException | IllegalArgumentException e) {
      System.err.println("outboard: " + e.getMessage());
      status = e instanceof IOException ? FAILED : MISUSED;
      say("failed " + status);
    }
    // Workers that are busy must not hold up the end.
    Runtime.getRuntime().halt(status);
  }

  private static void serve(int program, Path folder, DeviceChoice devices, int workers)
      throws IOException, InterruptedException {
    Path socket = folder.resolve("backend.sock");
    DaemonBuilder builder =
        Daemon.builder()
            .listen(Endpoint.unix(socket.toString()))
            .devices(devices.toString())
            .quiet(true)
            .tellFallback(true)
            .spareWorkers(workers)
            .jvmOptions(WorkerOptions.ofThisProcess())
            .watch(program);
    KernelLimit.of(System.getenv()).ifPresent(builder::kernelLimit);
    try (Daemon daemon = builder.start()) {
      Endpoint endpoint = daemon.endpoints().getFirst();
      if (devices.kind() == DeviceChoice.Kind.NVIDIA) {
        DeviceList.of(endpoint);
      }
      say(endpoint.toString());
      daemon.await();
    }
    Files.deleteIfExists(socket);
    Files.deleteIfExists(folder);
  }

  private static void say(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
