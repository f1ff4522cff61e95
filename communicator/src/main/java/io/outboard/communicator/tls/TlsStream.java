// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.tls;

import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.Sockets;
import io.outboard.communicator.stream.ByteStream;
import io.outboard.communicator.stream.SocketStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;

/**
 * TLS over a socket. After the handshake one thread reads and one writes. Room is bounded: bytes
 * that cannot be passed on are not read.
 */
final class TlsStream {
  /** Several records, so that neither side makes a system call for each. */
  static final int ROOM = 128 << 10;

  /** More than a record and what encryption adds to it. */
  private static final int RECORD = 17 << 10;

  /**
   * An error without an alert of the engine means bytes that are no TLS: a fatal, unexpected
   * message (RFC 8446, 6).
   */
  private static final byte[] ALERT = {0x15, 3, 3, 0, 2, 2, 10};

  private static final String ENDED =
      "the peer has ended the handshake in its middle, perhaps because it took too long";

  private static final int LOOK_MS = 100;

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final SSLEngine engine;
  private final int socket;
  private final ByteStream bytes;
  // Received bytes that are not decrypted yet: from position to limit.
  private final ByteBuffer come = ByteBuffer.allocateDirect(ROOM).flip();
  // Decrypted bytes, as the engine fills them in.
  private final ByteBuffer clear = ByteBuffer.allocateDirect(ROOM);
  private final ByteBuffer going = ByteBuffer.allocateDirect(ROOM);
  // A reader must answer some messages of the protocol.
  private final ReentrantLock sending = new ReentrantLock();

  /** Speaks over a connected socket, which it takes over. */
  TlsStream(SSLEngine engine, int socket) {
    this.engine = engine;
    this.socket = socket;
    this.bytes = new SocketStream(socket);
  }

  /**
   * Shakes hands.
   *
   * @param milliseconds in all
   * @throws IOException if the peer goes, takes too long, or is not one to talk with
   */
  void handshake(int milliseconds) throws IOException {
    handshake(milliseconds, () -> true);
  }

  /** The same as long as somebody wants it; that is asked every {@link #LOOK_MS}. */
  void handshake(int milliseconds, BooleanSupplier wanted) throws IOException {
    long end = System.nanoTime() + milliseconds * 1_000_000L;
    try {
      engine.beginHandshake();
      while (isShaking()) {
        step(end, wanted);
      }
    } catch (SSLException e) {
      tellWhy();
      throw e;
    } catch (IOException e) {
      giveUp();
      throw e;
    }
  }

  /**
   * Nothing is wrong with what came: the engine says in its own words that the handshake is not
   * wanted any more, so that the peer does not take it for a fault of the protocol.
   */
  private void giveUp() {
    engine.closeOutbound();
    sending.lock();
    try {
      while (!engine.isOutboundDone() && going.remaining() >= RECORD) {
        engine.wrap(NOTHING.duplicate(), going);
      }
      going.flip();
      Sockets.send(socket, address(going), going.remaining());
    } catch (IOException _) {
      going.clear();
    } finally {
      sending.unlock();
    }
  }

  private boolean isShaking() {
    HandshakeStatus status = engine.getHandshakeStatus();
    return status != HandshakeStatus.NOT_HANDSHAKING && status != HandshakeStatus.FINISHED;
  }

  private void step(long end, BooleanSupplier wanted) throws IOException {
    switch (engine.getHandshakeStatus()) {
      case NEED_WRAP -> answer();
      case NEED_TASK -> runTasks();
      default -> {
        if (!decrypt()) {
          await(end, wanted);
          fill();
        }
      }
    }
    if (engine.isInboundDone()) {
      // An error of a task is thrown here.
      decrypt();
      throw new EOFException(ENDED);
    }
  }

  /** A peer that has given up has gone by the time that it gets its answer. */
  private void answer() throws IOException {
    try {
      send(NOTHING.duplicate());
    } catch (SSLException e) {
      throw e;
    } catch (IOException e) {
      EOFException ended = new EOFException(ENDED);
      ended.addSuppressed(e);
      throw ended;
    }
  }

  private void await(long end, BooleanSupplier wanted) throws IOException {
    int ready;
    do {
      long left = (end - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        throw new InterruptedIOException("the handshake takes too long");
      }
      if (!wanted.getAsBoolean()) {
        throw new EOFException("nobody wants the connection any more");
      }
      ready = Posix.poll(socket, Posix.POLLIN, (int) Math.min(left, LOOK_MS));
    } while (ready == 0);
  }

  private void runTasks() {
    for (Runnable task = engine.getDelegatedTask();
        task != null;
        task = engine.getDelegatedTask()) {
      task.run();
    }
  }

  /** The alert that says what was wrong; a peer that does not read it goes without. */
  private void tellWhy() {
    sending.lock();
    try {
      while (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP && !engine.isOutboundDone()) {
        engine.wrap(NOTHING.duplicate(), going);
      }
      if (going.position() == 0) {
        going.put(ALERT);
      }
      going.flip();
      Sockets.send(socket, address(going), going.remaining());
    } catch (IOException _) {
      engine.closeOutbound();
    } finally {
      sending.unlock();
    }
  }

  /**
   * Waits for bytes.
   *
   * @return at least one, valid until the next call; null once the peer has said that it sends no
   *     more
   * @throws IOException if the connection breaks, or ends without the peer saying so
   */
  ByteBuffer read() throws IOException {
    clear.clear();
    while (true) {
      while (clear.remaining() >= RECORD && decrypt()) {
        if (engine.isInboundDone()) {
          return clear.position() > 0 ? clear.flip() : null;
        }
      }
      if (clear.position() > 0) {
        return clear.flip();
      }
      fill();
    }
  }

  /** One record, if a whole one is there. */
  private boolean decrypt() throws IOException {
    SSLEngineResult result = engine.unwrap(come, clear);
    if (result.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
      runTasks();
    }
    if (result.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
      send(NOTHING.duplicate());
    }
    return result.getStatus() != SSLEngineResult.Status.BUFFER_UNDERFLOW;
  }

  private void fill() throws IOException {
    come.compact();
    try {
      long n = bytes.read(address(come), come.remaining());
      if (n == 0) {
        throw new EOFException("the peer has gone");
      }
      moved(n);
      come.position(come.position() + (int) Math.max(n, 0));
    } finally {
      come.flip();
    }
  }

  /** Writes all of it. */
  void write(ByteBuffer from) throws IOException {
    send(from);
  }

  /** Says that no more comes; the peer's bytes can still be read. */
  void finish() throws IOException {
    engine.closeOutbound();
    send(NOTHING.duplicate());
    Sockets.shutdown(socket, Sockets.SHUT_WR);
  }

  private void send(ByteBuffer from) throws IOException {
    sending.lock();
    try {
      do {
        if (going.remaining() < RECORD) {
          flush();
        }
        engine.wrap(from, going);
      } while (from.hasRemaining() && !engine.isOutboundDone());
      flush();
    } finally {
      sending.unlock();
    }
  }

  private void flush() throws IOException {
    going.flip();
    while (going.hasRemaining()) {
      long n = bytes.write(address(going), going.remaining());
      moved(n);
      going.position(going.position() + (int) Math.max(n, 0));
    }
    going.clear();
  }

  /** Where the next byte of a buffer is. */
  static long address(ByteBuffer buffer) {
    return MemorySegment.ofBuffer(buffer).address();
  }

  private static void moved(long result) throws IOException {
    if (result < 0 && result != -Errno.EINTR) {
      throw new IOException(Errno.text((int) -result));
    }
  }

  /** Ends both directions; threads that read or write return. */
  void shutdown() {
    bytes.shutdown();
  }

  /** Nobody uses it any more. */
  void close() {
    bytes.close();
  }
}
