// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.session;

import io.outboard.backend.system.Log;
import io.outboard.backend.system.SharedPage;
import io.outboard.communicator.greeting.GreetingServer;
import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.Sockets;
import io.outboard.communicator.region.RingStream;
import io.outboard.communicator.stream.ByteStream;
import io.outboard.communicator.stream.KeptBytes;
import io.outboard.communicator.stream.MessageStream;
import io.outboard.communicator.stream.SocketStream;
import io.outboard.communicator.stream.TakenBytes;
import io.outboard.wire.ProtocolException;
import io.outboard.wire.Refusal;
import io.outboard.wire.Resumption;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;

/**
 * A session's bytes over one socket after the other, or at first through rings in memory of a guest
 * beside the first socket. Bytes that were sent are kept until the client says that it has them,
 * and are sent again over the next connection, so that the layers above see nothing of the change.
 * A ring itself keeps what the client may lack. Threads that read or write meanwhile wait, for the
 * grace period. The descriptor keeps its number.
 */
public final class LastingStream implements ByteStream {
  /** Why a session ends whose grace period is over. */
  public static final String EXPIRED = "the client was away for too long";

  /** A copy of the client, or one that fell silent, is without bytes that are kept no more. */
  private static final String FORGOTTEN =
      "what you lack is gone: another process, a clone of yours perhaps, has had it, or you did not"
          + " say in time what you have";

  /**
   * A client that reads and does not say so for so long is not waited for any more: what it does
   * not say may lie behind calls that wait for this side.
   */
  private static final long UNTOLD_NS = TimeUnit.SECONDS.toNanos(10);

  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final int socket;
  private final ByteStream bytes;
  // None where it began over the socket; open until the session ends.
  private final Optional<RingStream> memory;
  private final long graceNs;
  // Is told since when the client is away, and 0 once it is back.
  private final LongConsumer absences;
  // Beside the session's first one.
  private final boolean ofThread;
  // Held while bytes are read and counted.
  private final ReentrantLock in = new ReentrantLock();
  // Held while bytes are sent and kept, never for long; guards the state below as well.
  private final ReentrantLock out = new ReentrantLock();
  private final Condition changed = out.newCondition();
  private final KeptBytes kept = new KeptBytes();
  private final TakenBytes taken = new TakenBytes();
  // Null over a socket; set with both locks held.
  private volatile RingStream rings;
  private volatile boolean away;
  private volatile boolean over;
  // Of the connection; whether anything has come over it.
  private int epoch;
  private volatile boolean confirmed = true;
  private volatile int connection;
  // Threads that go over to another connection, or send again what it lacks.
  private int returning;
  private boolean closed;
  // When its end was seen, 0 if it was not.
  private volatile long goneSince;

  /** Takes over a socket, from the first frame on; the page has the client's absences. */
  public LastingStream(int socket, int graceSeconds, SharedPage page) {
    this(socket, Optional.empty(), graceSeconds, page);
  }

  /** The same through rings beside the socket, until the client comes back. */
  public LastingStream(int socket, Optional<RingStream> memory, int graceSeconds, SharedPage page) {
    this(socket, memory, graceSeconds, page::away, false);
  }

  private LastingStream(
      int socket,
      Optional<RingStream> memory,
      int graceSeconds,
      LongConsumer absences,
      boolean ofThread) {
    this.absences = absences;
    this.ofThread = ofThread;
    this.memory = memory;
    this.rings = memory.orElse(null);
    this.socket = socket;
    this.bytes = new SocketStream(socket);
    this.graceNs = TimeUnit.SECONDS.toNanos(graceSeconds);
  }

  /**
   * Of a connection that a thread of the client has to itself. The client may have given it up
   * before it has used it, so one over which nothing has come is away for as long as it likes.
   */
  static LastingStream ofThread(int socket, int graceSeconds) {
    return new LastingStream(socket, Optional.empty(), graceSeconds, _ -> {}, true);
  }

  @Override
  public long read(long address, long count) {
    while (awaitConnection()) {
      int now = connection;
      in.lock();
      try {
        long n = away ? -Errno.EINTR : readSome(address, count);
        if (n > 0) {
          taken.add(n);
          confirmed = true;
        }
        if (n > 0 || n == -Errno.EINTR) {
          return n;
        }
      } finally {
        in.unlock();
      }
      lost(now);
    }
    return 0;
  }

  private long readSome(long address, long count) {
    try {
      return medium().read(address, count);
    } catch (ProtocolException e) {
      return spoilt(e);
    }
  }

  private ByteStream medium() {
    RingStream now = rings;
    return now != null ? now : bytes;
  }

  /** Memory that went with the guest, say, is not this side's any more; the client hears of it. */
  private int spoilt(ProtocolException why) {
    Log.info("memory of a guest is used no more: " + why.getMessage());
    Sockets.shutdown(socket, Sockets.SHUT_RDWR);
    return -Errno.EPIPE;
  }

  @Override
  public boolean ready() {
    return !away && medium().ready();
  }

  @Override
  public void attended(boolean on) {
    medium().attended(on);
  }

  @Override
  public boolean attend() {
    return medium().attend();
  }

  @Override
  public long write(long address, long count) {
    while (awaitConnection()) {
      int now = connection;
      long n = send(address, (int) count);
      if (n > 0 || (n == 0 && awaitWritable())) {
        return n;
      }
      lost(now);
    }
    return -Errno.EPIPE;
  }

  private long send(long address, int count) {
    out.lock();
    try {
      RingStream now = rings;
      if (away) {
        return 0;
      }
      return now != null ? now.writeNow(address, count) : kept.send(socket, address, count);
    } catch (ProtocolException e) {
      return spoilt(e);
    } finally {
      out.unlock();
    }
  }

  /** Waits until there may be room; false if the client has gone, as far as rings tell. */
  private boolean awaitWritable() {
    RingStream now = rings;
    if (now != null) {
      return now.awaitRoom();
    }
    Posix.poll(socket, Posix.POLLOUT, -1);
    return true;
  }

  /** The count of the client's bytes that this side has, for the next frame. */
  long tell() {
    return taken.tell();
  }

  /** Whether that should be soon. */
  boolean owes() {
    return taken.owes();
  }

  /**
   * Takes the count of bytes that the client has, as a frame gives it; of a ring it says nothing.
   *
   * @return false if it cannot
   */
  boolean acknowledged(long count) {
    out.lock();
    try {
      boolean sent = rings != null || kept.acknowledge(count);
      changed.signalAll();
      return sent;
    } finally {
      out.unlock();
    }
  }

  /** Whether so many bytes can be kept, or nothing is any more. */
  boolean hasRoom(int count) {
    out.lock();
    try {
      return over || rings != null || kept.hasRoom(count);
    } finally {
      out.unlock();
    }
  }

  /** Waits until so many bytes can be kept. */
  void awaitRoom(int count) {
    out.lock();
    try {
      while (!hasRoom(count)) {
        if (changed.awaitNanos(UNTOLD_NS) <= 0 && !away) {
          Log.debug("the client does not say what it has: it cannot come back");
          kept.forget();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      over = true;
    } finally {
      out.unlock();
    }
  }

  /** Waits for a connection; false at the end of the session, or of the grace period. */
  private boolean awaitConnection() {
    if (!away) {
      return !over;
    }
    out.lock();
    try {
      long left = left();
      while (away && !over && left > 0) {
        left = Math.min(changed.awaitNanos(left), left());
      }
      return !away && !over;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      out.unlock();
    }
  }

  private void lost(int number) {
    out.lock();
    try {
      if (number == connection && !away && !over) {
        away = true;
        gone();
        say("a client is away: its session waits for %d s".formatted(left() / SECOND));
      }
    } finally {
      out.unlock();
    }
  }

  /** A session's fate is told once, and not of each of its connections. */
  private void say(String what) {
    if (ofThread) {
      Log.debug(what);
    } else {
      Log.info(what);
    }
  }

  private void gone() {
    if (goneSince == 0) {
      goneSince = System.nanoTime() | 1;
      absences.accept(System.currentTimeMillis());
    }
  }

  private long left() {
    long since = goneSince;
    boolean unused = ofThread && taken.count() == 0;
    return since == 0 || unused ? graceNs : graceNs - (System.nanoTime() - since);
  }

  /** The socket has hung up; there may be something to read yet, but nothing more. */
  public void hungUp() {
    out.lock();
    try {
      gone();
      if (rings != null) {
        rings.hungUp();
      }
    } finally {
      out.unlock();
    }
  }

  /** Whether the client is away, as far as is known. */
  public boolean isGone() {
    return goneSince != 0;
  }

  /** Whether it has been for the whole grace period. */
  public boolean isExpired() {
    return isGone() && left() <= 0;
  }

  /** Whether the session has ended. */
  public boolean isOver() {
    return over;
  }

  /**
   * Goes over to another connection, whose client has proven that the session is its own.
   *
   * @param other the connection; closed where it is not taken
   */
  public void goOver(int other) {
    try {
      Resumption theirs =
          Resumption.decode(new MessageStream(other, GreetingServer.TIMEOUT_MS).receive());
      Optional<Refusal> refusal = takeBack(other, theirs);
      if (refusal.isPresent()) {
        GreetingServer.refuse(other, refusal.get());
      }
    } catch (IOException | RuntimeException e) {
      Log.info("a client did not come back: " + e.getMessage());
    } finally {
      Posix.close(other);
    }
  }

  /** The kept bytes stay there meanwhile. */
  private Optional<Refusal> takeBack(int other, Resumption theirs) throws IOException {
    if (!begin()) {
      return Optional.of(new Refusal(Refusal.SESSION, "the session has ended"));
    }
    try {
      Optional<Refusal> refusal = goOver(other, theirs);
      if (refusal.isEmpty()) {
        sendAgain();
      }
      return refusal;
    } finally {
      end();
    }
  }

  private boolean begin() {
    out.lock();
    try {
      returning += closed ? 0 : 1;
      return !closed;
    } finally {
      out.unlock();
    }
  }

  private void end() {
    out.lock();
    try {
      returning--;
      changed.signalAll();
    } finally {
      out.unlock();
    }
  }

  /** One at a time. */
  private synchronized Optional<Refusal> goOver(int other, Resumption theirs) throws IOException {
    if (over || !isNext(theirs.epoch())) {
      return Optional.of(new Refusal(Refusal.SESSION, "another process goes on with this session"));
    }
    leave();
    out.lock();
    try {
      if (over || !kept.beginAgain(theirs.bytes())) {
        String why =
            kept.keepsAfter(theirs.bytes()) ? "it cannot go on from where you are" : FORGOTTEN;
        return Optional.of(new Refusal(Refusal.SESSION, why));
      }
      epoch = theirs.epoch() + 1;
      new MessageStream(other, GreetingServer.TIMEOUT_MS)
          .send(new Resumption(epoch, taken.count()).encode());
      Errno.check(Posix.dup2(other, socket), "a connection cannot take another one's place");
      confirmed = false;
      connection++;
      goneSince = 0;
      absences.accept(0);
      away = false;
      say("a client is back");
      changed.signalAll();
    } finally {
      out.unlock();
    }
    return Optional.empty();
  }

  /** The client may not have heard of its last connection, over which nothing has come then. */
  private boolean isNext(int last) {
    return last == epoch || (!confirmed && last == epoch - 1);
  }

  /** Nobody reads, counts or sends once this returns. */
  private void leave() {
    out.lock();
    try {
      away = true;
      gone();
    } finally {
      out.unlock();
    }
    Sockets.shutdown(socket, Sockets.SHUT_RDWR);
    in.lock();
    out.lock();
    try {
      leaveMemory();
    } finally {
      out.unlock();
      in.unlock();
    }
  }

  private void leaveMemory() {
    if (rings != null) {
      rings.leave(kept);
      rings = null;
      Log.info("a client comes back over a stream, and uses no memory of its guest any more");
    }
  }

  private void sendAgain() {
    int now = connection;
    int failed = 0;
    for (boolean left = true; left && failed == 0; ) {
      out.lock();
      try {
        boolean mine = !away && !over && now == connection;
        failed = mine ? kept.catchUp(socket) : 0;
        left = mine && kept.unsent() > 0;
      } finally {
        out.unlock();
      }
      if (left && failed == 0) {
        Posix.poll(socket, Posix.POLLOUT, -1);
      }
    }
    if (failed < 0) {
      lost(now);
    }
  }

  @Override
  public void shutdown() {
    out.lock();
    try {
      over = true;
      changed.signalAll();
    } finally {
      out.unlock();
    }
    medium().shutdown();
  }

  @Override
  public void close() {
    awaitReturning();
    memory.<ByteStream>map(all -> all).orElse(bytes).close();
    kept.close();
  }

  /**
   * A thread that still goes over, or sends again, sees soon that the session has ended. The watch
   * of the socket may yet see that it has hung up.
   */
  private void awaitReturning() {
    shutdown();
    out.lock();
    try {
      while (returning > 0) {
        changed.awaitUninterruptibly();
      }
      closed = true;
      rings = null;
    } finally {
      out.unlock();
    }
  }
}
