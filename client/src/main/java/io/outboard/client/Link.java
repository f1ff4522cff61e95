// SPDX-License-Identifier: Apache-2.0
package io.outboard.client;

import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.stream.ByteStream;
import io.outboard.communicator.stream.SocketStream;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * A session's connection: whole runs of bytes either way, until it is lost, for one reason. Over a
 * distant one a backend that is waited for says something every few seconds, so one that is silent
 * for longer is lost.
 */
final class Link {
  /** Rounds are counted and not time, in which this process may have been stopped. */
  private static final int SILENT_ROUNDS = 3;

  private final int socket;
  private final ByteStream stream;
  // Null where the session ends with its connection.
  private final ReturningStream returning;
  private final int roundMs;
  private final UnaryOperator<String> explains;
  private final Consumer<String> onLoss;
  private final AtomicReference<String> lost = new AtomicReference<>();
  private volatile boolean ending;

  /**
   * Takes a descriptor over.
   *
   * @param roundMs after three rounds of so many milliseconds without a byte, in each of which the
   *     backend is waited for, the connection is lost; 0 where its end is always seen
   * @param explains says more of the cause of a loss, if that can be known
   * @param onLoss is told once why the connection is lost, by whichever thread sees it first
   */
  Link(int socket, int roundMs, UnaryOperator<String> explains, Consumer<String> onLoss) {
    this.socket = socket;
    this.roundMs = roundMs;
    this.explains = explains;
    this.onLoss = onLoss;
    returning = null;
    stream = new SocketStream(socket);
  }

  /**
   * The same of a session that goes on over another connection.
   *
   * @param says is told what becomes of the connection, for people
   * @param onReturn is told after each return: the backend should hear something soon
   */
  Link(
      int socket,
      int roundMs,
      Comeback comeback,
      Consumer<String> says,
      Runnable onReturn,
      Consumer<String> onLoss) {
    this.socket = socket;
    this.roundMs = roundMs;
    this.explains = UnaryOperator.identity();
    this.onLoss = onLoss;
    returning = new ReturningStream(socket, comeback, roundMs, says, onReturn, this::lose);
    stream = returning;
  }

  /** How many of the backend's bytes have come; 0 where it does not ask. */
  long tell() {
    return returning != null ? returning.tell() : 0;
  }

  /** Whether the backend should hear of them soon. */
  boolean owes() {
    return returning != null && returning.owes();
  }

  /** Takes the count of this side's bytes that the backend has; false if it cannot have them. */
  boolean acknowledged(long count) {
    return returning == null || returning.acknowledged(count);
  }

  /** Whether a frame of so many bytes may begin. */
  boolean hasRoom(long bytes) {
    return returning == null || returning.hasRoom(bytes);
  }

  /** Waits for more room, for a moment. */
  void awaitRoom() {
    returning.awaitRoom();
  }

  /** Why the connection is lost, if it is. */
  Optional<String> lost() {
    return Optional.ofNullable(lost.get());
  }

  boolean isLost() {
    return lost.get() != null;
  }

  /** Why a read or write that returned this lost the connection; a write may see an end first. */
  static String causeOf(long result) {
    return result == 0 || result == -Errno.EPIPE
        ? "the backend has gone"
        : Errno.text((int) -result);
  }

  private void ended(String cause) {
    if (!isLost()) {
      lose(ending ? cause : explains.apply(cause));
    }
  }

  /** Ends the connection; threads that wait in {@link #read} or {@link #write} return. */
  void lose(String reason) {
    if (lost.compareAndSet(null, reason)) {
      stream.shutdown();
      onLoss.accept(reason);
    }
  }

  /**
   * Writes all bytes; one thread at a time does.
   *
   * @return false if the connection is lost
   */
  boolean write(long address, long bytes) {
    for (long done = 0; done < bytes && !isLost(); ) {
      done += moved(stream.write(address + done, bytes - done));
    }
    return !isLost();
  }

  /**
   * Reads exactly so many bytes; one thread does.
   *
   * @param awaited whether anybody waits for the backend
   * @return false if the connection is lost
   */
  boolean read(long address, long bytes, BooleanSupplier awaited) {
    for (long done = 0; done < bytes && !isLost(); ) {
      if (roundMs > 0) {
        awaitBytes(awaited);
      }
      long got = stream.read(address + done, bytes - done);
      if (got == 0) {
        ended(causeOf(0));
      }
      done += moved(got);
    }
    return !isLost();
  }

  /** Waits until there are bytes to read, or the end; any thread may. */
  void awaitBytes(BooleanSupplier awaited) {
    int silent = 0;
    while (Posix.poll(socket, Posix.POLLIN, roundMs > 0 ? roundMs : -1) == 0) {
      silent = awaited.getAsBoolean() ? silent + 1 : 0;
      if (silent == SILENT_ROUNDS) {
        silent();
        silent = 0;
      }
    }
  }

  /** Whether a read returns at once. */
  boolean hasBytes() {
    return !isLost() && Posix.poll(socket, Posix.POLLIN, 0) != 0;
  }

  private void silent() {
    if (returning != null) {
      returning.silent();
    } else {
      ended("the backend is silent");
    }
  }

  /** Writes what the backend takes without a pause of so many milliseconds, if it can be kept. */
  void writeWhileRead(long address, long bytes, int pauseMs) {
    long end = hasRoom(bytes) ? bytes : 0;
    for (long done = 0; done < end && !isLost() && isWritable(pauseMs); ) {
      done += moved(stream.write(address + done, bytes - done));
    }
  }

  private boolean isWritable(int milliseconds) {
    return Posix.poll(socket, Posix.POLLOUT, milliseconds) == Posix.POLLOUT;
  }

  /** The session is about to end: no other connection takes the place of this one. */
  void ending() {
    ending = true;
    if (returning != null) {
      returning.ending();
    }
  }

  /** Closes the descriptor of a lost connection; the caller knows that nobody uses it any more. */
  void close() {
    stream.close();
  }

  private long moved(long result) {
    if (result < 0 && result != -Errno.EINTR) {
      ended(causeOf(result));
    }
    return Math.max(result, 0);
  }
}
