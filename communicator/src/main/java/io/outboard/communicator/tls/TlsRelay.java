// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.tls;

import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.Sockets;
import io.outboard.communicator.stream.ByteStream;
import io.outboard.communicator.stream.SocketStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Passes bytes between an encrypted connection and a plain socket, both ways, with a thread for
 * each: the server of the plain one needs to know nothing of TLS, and may be another process. A
 * direction that ends in good order ends there too; a connection that breaks ends both, at once.
 */
final class TlsRelay {
  /** One thread's call of the engine needs little. */
  private static final long STACK = 256 << 10;

  private final TlsStream secure;
  private final int plain;
  private final ByteStream stream;
  private final Consumer<String> told;
  private final AtomicInteger directions = new AtomicInteger(2);
  // Nobody on the plain side has more to say.
  private volatile boolean finishing;

  /**
   * Takes both over.
   *
   * @param told hears what the encrypted side got wrong; not how it ends once this side has: who
   *     goes without having read what came last resets the connection
   */
  TlsRelay(TlsStream secure, int plain, Consumer<String> told) {
    this.secure = secure;
    this.plain = plain;
    this.stream = new SocketStream(plain);
    this.told = told;
  }

  /** Begins, once hands have been shaken. */
  void start() {
    thread("tls in", this::inward);
    thread("tls out", this::outward);
  }

  /** Shakes hands first, on a thread of its own. */
  void startWithHandshake(int milliseconds) {
    thread("tls handshake", () -> shake(milliseconds));
  }

  private static void thread(String name, Runnable work) {
    Thread.ofPlatform().name(name).daemon(true).stackSize(STACK).start(work);
  }

  private void shake(int milliseconds) {
    try {
      secure.handshake(milliseconds, this::isWanted);
      thread("tls out", this::outward);
      inward();
    } catch (IOException e) {
      if (isWanted()) {
        told.accept(TlsErrors.text(e));
      }
      end();
      close();
    }
  }

  /** Whether the plain side is still there: one that was dropped has hung up. */
  private boolean isWanted() {
    return Posix.poll(plain, (short) 0, 0) == 0;
  }

  private void inward() {
    try {
      for (ByteBuffer got = secure.read(); got != null; got = secure.read()) {
        pass(got);
      }
      Sockets.shutdown(plain, Sockets.SHUT_WR);
    } catch (EOFException _) {
      end();
    } catch (IOException e) {
      if (!finishing) {
        told.accept(TlsErrors.text(e));
      }
      end();
    } finally {
      over();
    }
  }

  private void pass(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      long n = stream.write(TlsStream.address(bytes), bytes.remaining());
      if (n < 0) {
        throw new EOFException(Errno.text((int) -n));
      }
      bytes.position(bytes.position() + (int) n);
    }
  }

  private void outward() {
    ByteBuffer bytes = ByteBuffer.allocateDirect(TlsStream.ROOM);
    try {
      while (take(bytes)) {
        secure.write(bytes);
      }
      finishing = true;
      secure.finish();
      awaitHangUp();
    } catch (IOException _) {
      // The other direction knows more.
      directions.get();
    } finally {
      end();
      over();
    }
  }

  /** Waits for bytes; false at the end. */
  private boolean take(ByteBuffer to) throws IOException {
    to.clear();
    long n = stream.read(TlsStream.address(to), to.remaining());
    if (n < 0 && n != -Errno.EINTR) {
      throw new IOException(Errno.text((int) -n));
    }
    to.limit((int) Math.max(n, 0));
    return n != 0;
  }

  /** Until nothing can be passed inwards any more either. */
  private void awaitHangUp() {
    int events;
    do {
      events = Posix.poll(plain, (short) 0, -1);
    } while (events == -Errno.EINTR);
  }

  private void end() {
    secure.shutdown();
    stream.shutdown();
  }

  private void over() {
    if (directions.decrementAndGet() == 0) {
      close();
    }
  }

  private void close() {
    secure.close();
    stream.close();
  }
}
