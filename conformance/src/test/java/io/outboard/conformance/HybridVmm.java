// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A virtual machine's hypervisor, as far as vsock by files goes (Firecracker's and Cloud
 * Hypervisor's convention): a guest's connection to a port of the host goes to the Unix socket
 * {@code PATH_PORT}, with nothing before it. A TCP port and a Unix socket stand for the guest's
 * own.
 */
final class HybridVmm implements AutoCloseable {
  private static final int PIECE = 1 << 16;

  private final SocketAddress host;
  private final ServerSocketChannel tcp;
  private final ServerSocketChannel unix;
  private final Path guest;
  private final List<SocketChannel> open = new CopyOnWriteArrayList<>();

  /**
   * Starts it.
   *
   * @param path what it is configured with
   * @param port of the host that the guest reaches
   * @param guest where the guest's Unix socket is to be
   */
  HybridVmm(Path path, int port, Path guest) throws IOException {
    host = UnixDomainSocketAddress.of(path + "_" + port);
    tcp = ServerSocketChannel.open();
    tcp.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    unix = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    unix.bind(UnixDomainSocketAddress.of(guest));
    this.guest = guest;
    start(() -> serve(tcp));
    start(() -> serve(unix));
  }

  /** A guest that reaches its host over a network's socket. */
  String overTcp() throws IOException {
    return "tcp://127.0.0.1:" + ((InetSocketAddress) tcp.getLocalAddress()).getPort();
  }

  /** One that takes it for a backend of its own machine. */
  String overUnix() {
    return "unix:" + guest;
  }

  private static void start(Runnable work) {
    Thread.ofPlatform().daemon().start(work);
  }

  private void serve(ServerSocketChannel listener) {
    try {
      while (true) {
        SocketChannel client = listener.accept();
        open.add(client);
        connect(client);
      }
    } catch (IOException e) {
      // Closed.
      return;
    }
  }

  /** As a reset, where nobody listens. */
  private void connect(SocketChannel client) throws IOException {
    try {
      SocketChannel backend = SocketChannel.open(host);
      open.add(backend);
      start(() -> pass(client, backend));
      start(() -> pass(backend, client));
    } catch (IOException e) {
      client.close();
    }
  }

  private static void pass(SocketChannel from, SocketChannel to) {
    ByteBuffer bytes = ByteBuffer.allocateDirect(PIECE);
    try (from;
        to) {
      while (from.read(bytes) >= 0) {
        bytes.flip();
        while (bytes.hasRemaining()) {
          to.write(bytes);
        }
        bytes.clear();
      }
    } catch (IOException e) {
      // The other direction has ended both.
      return;
    }
  }

  /** As a virtual machine that is switched off. */
  @Override
  public void close() throws IOException {
    tcp.close();
    unix.close();
    for (SocketChannel one : open) {
      one.close();
    }
  }
}
