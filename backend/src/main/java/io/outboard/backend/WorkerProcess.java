// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import io.outboard.communicator.Posix;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A worker as the daemon sees it: a process, and the connection over which it gets its client. */
final class WorkerProcess {
  private final Process process;
  private int connection = -1;

  private WorkerProcess(Process process) {
    this.process = process;
  }

  /** Starts one; it will connect to the daemon's private socket. */
  static WorkerProcess start(String socket, String devices, List<String> jvmOptions)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(jvmOptions);
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(Worker.class.getName());
    command.add(socket);
    command.add(devices);
    ProcessBuilder builder = new ProcessBuilder(command);
    // Standard output belongs to nobody: what a worker has to say goes to the log.
    builder.redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
    builder.redirectOutput(ProcessBuilder.Redirect.to(new File("/dev/null")));
    builder.redirectError(ProcessBuilder.Redirect.INHERIT);
    return new WorkerProcess(builder.start());
  }

  long pid() {
    return process.pid();
  }

  boolean alive() {
    return process.isAlive();
  }

  /** The worker has connected. */
  void connected(int descriptor) {
    connection = descriptor;
  }

  /** Gives it its client. */
  void handOver(HandOver handOver) throws IOException {
    try {
      handOver.send(connection);
    } finally {
      Posix.close(connection);
      connection = -1;
    }
  }

  /** Waits for its end and returns its status. */
  int await() throws InterruptedException {
    return process.waitFor();
  }

  /** Ends one that has no client. */
  void stop() {
    if (connection >= 0) {
      Posix.close(connection);
      connection = -1;
    }
    process.destroyForcibly();
  }
}
