// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.daemon;

import io.outboard.backend.Backend;
import java.io.IOException;
import java.nio.file.Path;

/** A daemon in a process of its own, at a socket in a folder, until it is killed. */
public final class DaemonMain {
  private DaemonMain() {}

  /** Runs it. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    Daemon.builder()
        .listen(Backend.socket(Path.of(arguments[0])))
        .spareWorkers(0)
        .quiet(true)
        .ready(_ -> System.out.println("ready"))
        .start()
        .await();
  }
}
