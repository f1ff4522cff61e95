// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.gpu;

import io.outboard.bench.gpu.run.Way;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Another system of this kind, in a folder with two programs: {@code serve PORT} serves this
 * machine's GPU on loopback until it is killed, {@code run PORT PROGRAM [ARGUMENT]...} runs a
 * program on it.
 */
final class Peer implements AutoCloseable {
  private static final int TRIES = 100;
  private static final int PAUSE_MS = 200;

  private final Path folder;
  private final int port;
  private final Process server;

  private Peer(Path folder, int port, Process server) {
    this.folder = folder;
    this.port = port;
    this.server = server;
  }

  /**
   * Returns once its server accepts connections.
   *
   * @throws IOException if it does not within twenty seconds
   */
  static Peer start(Path folder) throws IOException, InterruptedException {
    int port = freePort();
    Process server =
        new ProcessBuilder(folder.resolve("serve").toString(), Integer.toString(port))
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    Peer peer = new Peer(folder, port, server);
    Runtime.getRuntime().addShutdownHook(new Thread(peer::close, "end of the peer"));
    for (int i = 0; i < TRIES; i++) {
      if (peer.accepts()) {
        return peer;
      }
      Thread.sleep(PAUSE_MS);
    }
    peer.close();
    throw new IOException(folder + "/serve does not listen on port " + port);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private boolean accepts() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException notYet) {
      return false;
    }
  }

  Way way() {
    return new Way(
        "peer", List.of(folder.resolve("run").toString(), Integer.toString(port)), Map.of());
  }

  @Override
  public void close() {
    server.descendants().forEach(ProcessHandle::destroy);
    server.destroy();
  }
}
