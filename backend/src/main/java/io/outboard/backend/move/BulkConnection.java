// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.move;

import io.outboard.backend.system.Log;
import io.outboard.backend.system.NativeBuffer;
import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.Sockets;
import io.outboard.wire.Limits;
import io.outboard.wire.Native;
import io.outboard.wire.Piece;
import io.outboard.wire.ProtocolException;
import java.io.EOFException;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/** A connection for bulk data: one thread reads pieces from it, another writes pieces to it. */
final class BulkConnection {
  private static final int DISCARD = 64 << 10;

  private final int socket;
  private final BulkConnections session;
  private final AtomicInteger users = new AtomicInteger(2);

  /** Takes over a socket. */
  BulkConnection(int socket, BulkConnections session) {
    this.socket = socket;
    this.session = session;
  }

  /** Both threads end with the connection, or the process. */
  void start() {
    thread("bulk-reader", this::read).start();
    thread("bulk-writer", this::write).start();
  }

  private Thread thread(String name, Work work) {
    return Thread.ofPlatform().daemon(true).name(name).unstarted(() -> guarded(work));
  }

  /** Ends what both do with the socket: the client makes another connection. */
  void end() {
    Sockets.shutdown(socket, Sockets.SHUT_RDWR);
  }

  private interface Work {
    void run() throws IOException, InterruptedException;
  }

  private void guarded(Work work) {
    try {
      work.run();
    } catch (ProtocolException e) {
      session.lost("the client broke the protocol: " + e.getMessage());
    } catch (IOException e) {
      session.lost(this, "a connection for bulk data broke: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      Log.failure("bulk data cannot be moved", e);
      session.lost("internal error: " + e);
    } finally {
      leave();
    }
  }

  private void leave() {
    if (users.decrementAndGet() == 0) {
      Posix.close(socket);
    }
  }

  private void read() throws IOException, InterruptedException {
    try (NativeBuffer header = new NativeBuffer(DISCARD)) {
      while (readWhole(header.address(), Piece.HEADER)) {
        take(header);
      }
    }
    session.ended(this);
  }

  private void take(NativeBuffer header) throws IOException, InterruptedException {
    long transfer = Native.getLong(header.address() + Piece.TRANSFER);
    long offset = Native.getLong(header.address() + Piece.OFFSET);
    int bytes = Native.getInt(header.address() + Piece.BYTES);
    if (bytes <= 0 || bytes > Limits.CHUNK || offset < 0) {
      throw new ProtocolException("a piece of " + bytes + " bytes at " + offset);
    }
    BulkBuffer buffer = session.room(transfer);
    if (buffer == null) {
      discard(header, bytes);
      return;
    }
    buffer.describe(transfer, offset, bytes);
    fill(buffer, bytes);
    session.arrived(this, buffer);
  }

  private void fill(BulkBuffer buffer, int bytes) throws IOException {
    try {
      require(readWhole(buffer.address(), bytes));
    } catch (IOException e) {
      session.buffers().give(buffer);
      throw e;
    }
  }

  private void discard(NativeBuffer scratch, int bytes) throws IOException {
    for (int left = bytes; left > 0; left -= DISCARD) {
      require(readWhole(scratch.address(), Math.min(left, DISCARD)));
    }
  }

  private static void require(boolean whole) throws EOFException {
    if (!whole) {
      throw new EOFException("the client has gone");
    }
  }

  /** False at the end, if that is before the first byte. */
  private boolean readWhole(long to, int bytes) throws IOException {
    for (int done = 0; done < bytes; ) {
      long n = Posix.read(socket, to + done, bytes - done);
      if (n == 0 && done == 0) {
        return false;
      }
      if (n <= 0 && n != -Errno.EINTR) {
        throw new EOFException(n == 0 ? "the client has gone" : Errno.text((int) -n));
      }
      done += (int) Math.max(n, 0);
    }
    return true;
  }

  private void write() throws IOException, InterruptedException {
    try (NativeBuffer header = new NativeBuffer(Piece.HEADER)) {
      BulkPiece piece = session.leaving(this);
      while (piece != null) {
        try {
          write(header, piece);
        } finally {
          piece.sent().run();
        }
        piece = session.leaving(this);
      }
    }
  }

  private void write(NativeBuffer header, BulkPiece piece) throws IOException {
    Native.putLong(header.address() + Piece.TRANSFER, piece.transfer());
    Native.putLong(header.address() + Piece.OFFSET, piece.offset());
    Native.putInt(header.address() + Piece.BYTES, piece.bytes());
    writeWhole(header.address(), Piece.HEADER);
    writeWhole(piece.data(), piece.bytes());
  }

  private void writeWhole(long from, int bytes) throws IOException {
    int failed = Posix.writeAll(socket, from, bytes);
    if (failed < 0) {
      throw new IOException(Errno.text(-failed));
    }
  }
}
