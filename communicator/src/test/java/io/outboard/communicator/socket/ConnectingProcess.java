// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.socket;

import io.outboard.communicator.Endpoint;
import io.outboard.communicator.posix.Posix;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A process that connects to a Unix socket, and stays until its standard input ends. */
final class ConnectingProcess {
  private ConnectingProcess() {}

  /** Starts one by a command that runs its last words. */
  static Process start(List<String> by, Endpoint to) throws IOException {
    List<String> command = new ArrayList<>(by);
    command.add(ProcessHandle.current().info().command().orElseThrow());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(ConnectingProcess.class.getName());
    command.add(to.toString());
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  /** Connects, as the child process. */
  public static void main(String[] arguments) throws IOException {
    int connection = new UnixCommunicator().connect(Endpoint.parse(arguments[0]));
    while (System.in.read() >= 0) {}
    Posix.close(connection);
  }
}
