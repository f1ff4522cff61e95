// SPDX-License-Identifier: Apache-2.0
package io.outboard.client;

import io.outboard.communicator.greeting.RefusedException;
import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.Sockets;
import io.outboard.communicator.stream.ByteStream;
import io.outboard.communicator.stream.KeptBytes;
import io.outboard.communicator.stream.TakenBytes;
import io.outboard.wire.Refusal;
import io.outboard.wire.Resumption;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * A session's bytes over one connection after the other: the thread that sees one break makes the
 * next one, and all others wait for it. Bytes that were sent are kept until the backend says that
 * it has them. The descriptor keeps its number.
 */
final class ReturningStream implements ByteStream {
  /** A try that began while the link was down ends in vain: it may not take long. */
  private static final long LEAST_CONNECT_MS = 200;

  private static final long MOST_CONNECT_MS = 2_000;

  /** At least so many tries, however long the link is down. */
  private static final long TRIES = 20;

  private static final int PAUSE_MS = 50;

  private enum Outcome {
    BACK,
    LATER,
    GONE
  }

  private final int socket;
  private final Comeback comeback;
  private final int roundMs;
  private final Consumer<String> says;
  private final Runnable onReturn;
  private final Consumer<String> onEnd;
  // Held while a connection is made.
  private final ReentrantLock repair = new ReentrantLock();
  // Held while bytes are read and counted.
  private final ReentrantLock in = new ReentrantLock();
  // Held while bytes are sent and kept, never for long.
  private final ReentrantLock out = new ReentrantLock();
  private final Condition changed = out.newCondition();
  private final KeptBytes kept = new KeptBytes();
  private final TakenBytes taken = new TakenBytes();
  private volatile boolean away;
  private volatile boolean over;
  private volatile boolean ending;
  private volatile int connection;
  private int epoch;
  private String why = "";

  /**
   * Takes over a socket, from the first frame on.
   *
   * @param roundMs a read returns {@code -EINTR} after so long without a byte
   * @param says is told what becomes of the connection, for people
   * @param onReturn is told after a return: the backend should hear something soon
   * @param onEnd is told why the session is lost
   */
  ReturningStream(
      int socket,
      Comeback comeback,
      int roundMs,
      Consumer<String> says,
      Runnable onReturn,
      Consumer<String> onEnd) {
    this.socket = socket;
    this.comeback = comeback;
    this.roundMs = roundMs;
    this.says = says;
    this.onReturn = onReturn;
    this.onEnd = onEnd;
    Sockets.setReadTimeout(socket, roundMs);
  }

  @Override
  public long read(long address, long count) {
    while (!over) {
      int now = connection;
      long n = take(address, count);
      if (n > 0) {
        return n;
      }
      if (n == -Errno.EAGAIN || n == -Errno.EINTR) {
        return -Errno.EINTR;
      }
      restore(now, Link.causeOf(n));
    }
    return 0;
  }

  private long take(long address, long count) {
    in.lock();
    try {
      long n = away ? -Errno.ECONNRESET : Posix.read(socket, address, count);
      taken.add(Math.max(n, 0));
      return n;
    } finally {
      in.unlock();
    }
  }

  @Override
  public boolean ready() {
    return !away && Sockets.ready(socket);
  }

  @Override
  public long write(long address, long count) {
    while (!over) {
      int now = connection;
      int n = send(address, (int) count);
      if (n == 0) {
        Posix.poll(socket, Posix.POLLOUT, -1);
      }
      if (n >= 0) {
        return n;
      }
      restore(now, Link.causeOf(n));
    }
    return -Errno.EPIPE;
  }

  private int send(long address, int count) {
    out.lock();
    try {
      return away ? -Errno.ECONNRESET : kept.send(socket, address, count);
    } finally {
      out.unlock();
    }
  }

  /** The backend says nothing. */
  void silent() {
    restore(connection, "the backend is silent");
  }

  /** The count of the backend's bytes that this side has, for the next frame. */
  long tell() {
    return taken.tell();
  }

  /** Whether that should be soon. */
  boolean owes() {
    return taken.owes();
  }

  /** Takes the count of bytes that the backend has; false if it cannot have them. */
  boolean acknowledged(long count) {
    out.lock();
    try {
      boolean sent = kept.acknowledge(count);
      changed.signalAll();
      return sent;
    } finally {
      out.unlock();
    }
  }

  /** Whether so many bytes can be kept, or nothing is any more. */
  boolean hasRoom(long count) {
    out.lock();
    try {
      return over || kept.hasRoom(count);
    } finally {
      out.unlock();
    }
  }

  /** Waits until there is more room, for a moment; what a connection lacks is sent meanwhile. */
  @SuppressWarnings("WaitNotInLoop") // The caller looks again.
  void awaitRoom() {
    int now = connection;
    int failed = 0;
    out.lock();
    try {
      failed = away ? -Errno.ECONNRESET : kept.catchUp(socket);
      if (failed == 0) {
        changed.await(PAUSE_MS, TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      out.unlock();
    }
    if (failed < 0) {
      restore(now, Link.causeOf(failed));
    }
  }

  /** The session is about to end: a connection that breaks from here on is its end. */
  void ending() {
    ending = true;
  }

  private void restore(int number, String cause) {
    repair.lock();
    try {
      if (number == connection && !over) {
        mendOrEnd(cause);
      }
    } finally {
      repair.unlock();
    }
  }

  private void mendOrEnd(String cause) {
    if (ending) {
      onEnd.accept(cause);
    } else {
      mend(cause);
    }
  }

  private void mend(String cause) {
    long begin = System.nanoTime();
    leave();
    Outcome outcome = attempt(begin);
    boolean said = outcome == Outcome.LATER && !ends();
    if (said) {
      says.accept("is lost: " + cause + "; trying for " + comeback.graceSeconds() + " s");
      outcome = tryOn(begin);
    }
    if (outcome == Outcome.BACK) {
      says.accept(said ? "is back" : "was lost (" + cause + ") and is back");
      onReturn.run();
    } else if (!over) {
      onEnd.accept(outcome == Outcome.GONE ? Farewell.gone(cause, why) : cause);
    }
  }

  /** For the grace period; an interrupt is for what the thread does then. */
  private Outcome tryOn(long begin) {
    long grace = TimeUnit.SECONDS.toNanos(comeback.graceSeconds());
    Outcome outcome = Outcome.LATER;
    boolean interrupted = false;
    while (outcome == Outcome.LATER && !ends() && System.nanoTime() - begin < grace) {
      pause();
      interrupted |= Thread.interrupted();
      outcome = attempt(begin);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return outcome;
  }

  private boolean ends() {
    return over || ending;
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Nobody reads, counts or sends once this returns. */
  private void leave() {
    away = true;
    Sockets.shutdown(socket, Sockets.SHUT_RDWR);
    pass(in);
    pass(out);
  }

  @SuppressWarnings("LockNotBeforeTry")
  private static void pass(ReentrantLock lock) {
    lock.lock();
    lock.unlock();
  }

  private static int connectingMs(long begin) {
    long away = (System.nanoTime() - begin) / 1_000_000;
    return (int) Math.clamp(away / TRIES, LEAST_CONNECT_MS, MOST_CONNECT_MS);
  }

  private Outcome attempt(long begin) {
    try {
      Comeback.Made made = comeback.make(new Resumption(epoch, taken.count()), connectingMs(begin));
      try {
        return goOver(made) ? Outcome.BACK : Outcome.GONE;
      } finally {
        Posix.close(made.socket());
      }
    } catch (RefusedException e) {
      why = e.getMessage();
      return e.refusal().code() == Refusal.SESSION ? Outcome.GONE : Outcome.LATER;
    } catch (IOException e) {
      why = String.valueOf(e.getMessage());
      return Outcome.LATER;
    }
  }

  // One thread at a time repairs.
  @SuppressWarnings("NonAtomicVolatileUpdate")
  private boolean goOver(Comeback.Made made) throws IOException {
    out.lock();
    try {
      if (over || !kept.beginAgain(made.theirs().bytes())) {
        why =
            kept.keepsAfter(made.theirs().bytes())
                ? "another process, a clone of this one perhaps, goes on with it"
                : "it lacks what was sent";
        return false;
      }
      Errno.check(Posix.dup2(made.socket(), socket), "a connection cannot take another's place");
      Sockets.setReadTimeout(socket, roundMs);
      epoch = made.theirs().epoch();
      connection++;
      away = false;
      changed.signalAll();
      return true;
    } finally {
      out.unlock();
    }
  }

  @Override
  public void shutdown() {
    out.lock();
    try {
      over = true;
      changed.signalAll();
      Sockets.shutdown(socket, Sockets.SHUT_RDWR);
    } finally {
      out.unlock();
    }
  }

  @Override
  public void close() {
    repair.lock();
    try {
      Posix.close(socket);
      kept.close();
    } finally {
      repair.unlock();
    }
  }
}
