// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.gpu.link;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** Passes the bytes of one direction of a connection on, each when it is due. */
final class DelayLine {
  private static final int PIECE = 1 << 17;

  private final Socket from;
  private final Socket to;
  private final Pace pace;
  private final AtomicInteger open;
  private final BlockingQueue<Parcel> travelling = new LinkedBlockingQueue<>();

  /** {@code open} counts the directions of the connection that have not ended. */
  DelayLine(Socket from, Socket to, Pace pace, AtomicInteger open) {
    this.from = from;
    this.to = to;
    this.pace = pace;
    this.open = open;
  }

  /** Bytes, and when they arrive; without any, the end. */
  // The bytes are the line's own.
  @SuppressWarnings("ArrayRecordComponent")
  private record Parcel(byte[] bytes, long due) {
    boolean isLast() {
      return bytes.length == 0;
    }
  }

  void start() {
    Thread.ofPlatform().daemon().start(this::send);
    Thread.ofPlatform().daemon().start(this::deliver);
  }

  private void send() {
    byte[] piece = new byte[PIECE];
    try {
      InputStream in = from.getInputStream();
      for (int n = in.read(piece); n > 0; n = in.read(piece)) {
        travelling.add(new Parcel(Arrays.copyOf(piece, n), pace.book(n)));
        pace.awaitRoom();
      }
    } catch (IOException closed) {
      // As a connection that ends.
    }
    travelling.add(new Parcel(new byte[0], 0));
  }

  private void deliver() {
    try {
      OutputStream out = to.getOutputStream();
      for (Parcel parcel = travelling.take(); !parcel.isLast(); parcel = travelling.take()) {
        Pace.await(parcel.due());
        out.write(parcel.bytes());
      }
      // The other direction may have more to say.
      to.shutdownOutput();
    } catch (IOException closed) {
      close(from);
      close(to);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (open.decrementAndGet() == 0) {
      close(from);
      close(to);
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
