// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A virtio-serial port without a virtual machine: a Unix socket at either side, and bytes that come
 * at one go to the other. As with a hypervisor's, neither side hears that the other has come again;
 * bytes for nobody wait.
 */
final class StandInPort implements AutoCloseable {
  private static final int PIECE = 20_000;

  private final Side host;
  private final Side guest;

  StandInPort(Path folder) throws IOException {
    host = new Side(folder.resolve("host.sock"));
    guest = new Side(folder.resolve("guest.sock"));
    host.start(guest);
    guest.start(host);
  }

  /** The backend's. */
  Side host() {
    return host;
  }

  /** The guest's. */
  Side guest() {
    return guest;
  }

  /** One side. */
  static final class Side {
    private final Path path;
    private final ServerSocketChannel listener;
    private SocketChannel now;
    private volatile byte[] stale = {};
    private final AtomicLong passes = new AtomicLong(Long.MAX_VALUE);

    private Side(Path path) throws IOException {
      this.path = path;
      listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
      listener.bind(UnixDomainSocketAddress.of(path));
    }

    Path path() {
      return path;
    }

    private void start(Side to) {
      Thread.ofPlatform().daemon().start(() -> serve(to));
    }

    private void serve(Side to) {
      try {
        while (true) {
          SocketChannel one = listener.accept();
          become(one);
          pass(one, to);
        }
      } catch (IOException e) {
        // Closed.
        return;
      }
    }

    private synchronized void become(SocketChannel one) {
      now = one;
      notifyAll();
    }

    /** Ends what is connected here, once so many bytes more have come from there. */
    void cutAfter(long bytes) {
      stale = new byte[0];
      passes.set(bytes);
    }

    /** Puts bytes of nobody's behind so many more that come from there. */
    void mixAfter(long bytes, byte[] more) {
      stale = more.clone();
      passes.set(bytes);
    }

    /** Ends what is connected here now. */
    synchronized void cut() throws IOException {
      if (now != null) {
        now.close();
      }
    }

    private void pass(SocketChannel from, Side to) throws IOException {
      ByteBuffer bytes = ByteBuffer.allocateDirect(PIECE);
      try (from) {
        while (from.read(bytes) >= 0) {
          bytes.flip();
          long left = passes.addAndGet(-bytes.remaining());
          if (left <= 0) {
            passes.set(Long.MAX_VALUE);
            if (stale.length == 0) {
              to.take(bytes.limit((int) Math.max(0, bytes.limit() + left)));
              return;
            }
            to.take(ByteBuffer.wrap(stale));
          }
          to.take(bytes);
          bytes.clear();
        }
      } catch (IOException e) {
        if (!listener.isOpen()) {
          throw e;
        }
      }
    }

    /** Waits for somebody; bytes that a peer does not take before it goes are lost. */
    private void take(ByteBuffer bytes) throws IOException {
      SocketChannel to = await();
      try {
        while (bytes.hasRemaining()) {
          to.write(bytes);
        }
      } catch (IOException e) {
        bytes.position(bytes.limit());
      }
    }

    private synchronized SocketChannel await() throws IOException {
      try {
        while (now == null || !now.isOpen()) {
          wait(20);
          if (!listener.isOpen()) {
            throw new IOException("closed");
          }
        }
        return now;
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }
  }

  @Override
  public void close() throws IOException {
    for (Side side : new Side[] {host, guest}) {
      side.listener.close();
      side.cut();
    }
  }
}
