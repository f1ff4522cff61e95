// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.session;

import io.outboard.backend.system.SharedPage;
import io.outboard.communicator.stream.ByteStream;
import io.outboard.communicator.stream.CompleteNumbers;
import io.outboard.wire.Frame;
import io.outboard.wire.Limits;
import io.outboard.wire.Native;
import io.outboard.wire.ProtocolException;
import io.outboard.wire.Region;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * The rings of a session, or its connections where no memory is shared, and the order among their
 * calls. Each further one has a thread that issues its calls, so the calls of different threads of
 * a client are issued at the same time.
 *
 * <p>A call names a number in its header, its fence: it is issued when all posted calls of other
 * rings up to that number are. A call behind all that was sent before it is a wide one. Wide calls
 * of a lane are issued one after the other, as they are where there is one ring, unless they wait.
 *
 * <p>No two of them wait for each other. Each wait here is for frames with lower numbers than the
 * frame that waits: a fence, the second try of a call that was out of memory, and the end of a
 * thread, whose last call is before it. Each reader has said at which number it is before it waits,
 * so nobody waits for what lies behind that in its ring. The frame with the lowest number therefore
 * waits for none. The locks of wide calls are taken behind all these waits, for as long as a call
 * is issued, and a call that waits for the device takes none. A call that is answered is waited for
 * by its client alone, and a failure that is told in its place waits for nothing. Where the device
 * itself waits, for a function of the program or for room for what a kernel prints, the first ring
 * is still read on both sides: {@link LongCallWatch} has another thread lead, and the client's
 * threads look there while they wait in a ring of their own. The client gives a call its number
 * when nothing but room in the ring can keep it from being written; a wait for a staging area of
 * the client, and one that is found settled, is before that.
 *
 * <p>A ring says how much the client has written. A connection does not, so the numbers of all
 * frames are counted there ({@link CompleteNumbers}): a fence is passed once none is missing.
 */
final class Rings {
  /** A call that is issued for so long keeps no call of another lane waiting. */
  private static final long LATE_MS = 5;

  private static final int SPINS = 256;
  private static final long NAP_NS = TimeUnit.MICROSECONDS.toNanos(20);

  private final Connection first;
  private final SharedPage page;
  private final Lanes queues;
  private final Progress firstProgress;
  private final BooleanSupplier over;
  private final AtomicReferenceArray<ReentrantLock> lanes =
      new AtomicReferenceArray<>(Limits.LANES);
  private final ReentrantLock wide = new ReentrantLock();
  // By number; null where a ring is not open. Guarded by this.
  private final RingIssuer[] issuers;
  private final BitSet awaited = new BitSet();
  private boolean closed;
  // Null while there is one connection, and where there are rings.
  private volatile CompleteNumbers numbers;
  // Of the last frame that the leader of the first connection has read; the leader's own.
  private volatile long last;
  // None while there is one ring. An array, as lists of several lengths are of several classes, and
  // what is compiled for one of them is thrown away where a third thread comes.
  private volatile Progress[] progress = {};
  // Those that wait for calls.
  private final Set<Ending> endings = ConcurrentHashMap.newKeySet();

  /** The end of a thread of the client, and the number of the frame that tells of it. */
  private record Ending(int thread, long sequence) {}

  Rings(Connection first, SharedPage page, Lanes queues, BooleanSupplier over) {
    this.first = first;
    this.page = page;
    this.over = over;
    this.queues = queues;
    this.firstProgress = new Progress(first::arrived, queues::firstPosted);
    int rings = Math.min(first.further(), Region.FUNCTIONS_SLOT);
    this.issuers = new RingIssuer[rings > 0 ? rings : Limits.THREAD_CONNECTIONS];
  }

  /** Makes an issuer of a ring, which is not started. */
  interface Maker {
    RingIssuer make(ByteStream stream, Progress progress);
  }

  /**
   * By the leader of the first ring: it has read, in the frame of a number, that the client wants a
   * further one. From here on leaders say how far they are. {@link #open} is too late for that: it
   * may take so long that another thread leads, which would have read on, and be asleep, before
   * there are several rings.
   */
  void begins(long sequence) {
    if (several()) {
      return;
    }
    page.shared();
    if (!overRings()) {
      numbers = new CompleteNumbers(sequence);
      return;
    }
    firstProgress.past(first.taken());
    progress = new Progress[] {firstProgress};
  }

  private boolean overRings() {
    return first.further() > 0;
  }

  /**
   * Opens a further ring, behind {@link #begins}; another thread may lead meanwhile.
   *
   * @return its issuer, which the caller starts; null if there is no such ring, or it is open
   */
  synchronized RingIssuer open(long number, Maker maker) {
    if (!overRings() || !isFree(number)) {
      return null;
    }
    ByteStream stream = first.further((int) number);
    Progress its = new Progress(stream::arrived, () -> Long.MAX_VALUE);
    RingIssuer issuer = maker.make(stream, its);
    issuers[(int) number] = issuer;
    Progress[] more = Arrays.copyOf(progress, progress.length + 1);
    more[more.length - 1] = its;
    progress = more;
    return issuer;
  }

  private boolean isFree(long number) {
    return !closed && number >= 0 && number < issuers.length && issuers[(int) number] == null;
  }

  /** The client is to add a connection of this number; false if there is none, or it is open. */
  synchronized boolean await(long number) {
    boolean free = !overRings() && isFree(number);
    if (free) {
      awaited.set((int) number);
    }
    return free;
  }

  /** Whether a connection is open; behind {@link #await}. */
  synchronized boolean isAwaited(int number) {
    return awaited.get(number) && isFree(number);
  }

  /**
   * Takes a connection that is awaited; its caller starts the issuer.
   *
   * @return false if the session is over
   */
  synchronized boolean take(int number, RingIssuer issuer) {
    if (!isAwaited(number)) {
      return false;
    }
    issuers[number] = issuer;
    return true;
  }

  /** How far the calls of a connection are issued tells nothing beyond the numbers of all. */
  Progress ofConnection() {
    return new Progress(() -> 0, () -> Long.MAX_VALUE);
  }

  /** Whether there are further ones, or may be soon. */
  boolean several() {
    return numbers != null || progress.length > 0;
  }

  /** By the leader of the first ring, before it reads on. */
  void readsOn() {
    if (several()) {
      firstProgress.past(first.taken());
      comes(last);
    }
  }

  /** By the leader of the first ring: it has read a call. */
  void reads(CallFrame call, long frame) {
    call.ring = firstProgress;
    last = call.sequence;
    if (!overRings()) {
      call.fence = CallFrame.behind(frame);
    }
    if (several()) {
      reads(call, first);
    }
  }

  /**
   * By the reader of a ring: it has read a call. Were its number lower than those before, rings
   * could wait for each other in a circle.
   */
  void reads(CallFrame call, Connection from) {
    if (call.sequence < call.ring.at()) {
      throw new ProtocolException("a call whose number is lower than the one before");
    }
    call.ring.at(call.sequence);
    if (call.answered()) {
      call.ring.past(from.taken());
      comes(call.sequence);
    }
  }

  /**
   * The frame of a number has come, and nobody waits until it is issued; or it is. One far ahead of
   * others waits for them here.
   */
  void comes(long sequence) {
    CompleteNumbers all = numbers;
    while (all != null && !all.add(sequence) && !over.getAsBoolean()) {
      LockSupport.parkNanos(NAP_NS);
    }
  }

  /** The number that the end of a thread names: of the thread's last call in a ring of its own. */
  long named(long frame) {
    return overRings()
        ? Native.getLong(frame + Frame.ACKNOWLEDGED)
        : Math.max(0, CallFrame.behind(frame));
  }

  /** Before a call is issued: waits until its turn has come. */
  void begin(CallFrame call) {
    if (!several()) {
      return;
    }
    awaitEarlier(call.ring, Math.min(call.fence, call.sequence - 1));
    if (!endings.isEmpty()) {
      awaitEnds(call.thread, call.sequence);
    }
    if (call.wide() && !call.waits()) {
      lock(call);
    }
  }

  /** Whether calls of other rings that were sent before it may not be issued yet. */
  boolean mayBeAhead(CallFrame call) {
    return several() && !call.wide();
  }

  /** Waits until the posted calls of all rings but this one are issued, up to a number. */
  void awaitEarlier(Progress own, long sequence) {
    await(own, sequence, Long.MAX_VALUE);
  }

  /** By the leader of the first ring: it has read a frame that is no call. */
  void reads(long sequence) {
    last = Math.max(last, sequence);
    if (several()) {
      firstProgress.reaches(sequence);
      comes(sequence);
    }
  }

  /**
   * By the leader of the first ring: it has read that the client has ended a thread. Calls of the
   * next thread that has its number, and the end of that one, wait until {@link #end} is over.
   */
  void ends(int thread, long sequence) {
    endings.add(new Ending(thread, sequence));
  }

  /**
   * Does what the end of a thread asks for, behind the thread's calls.
   *
   * @param sequence the number of the frame that tells of it
   * @param lastCall the number of the thread's last call, 0 if it had no ring of its own
   */
  void end(int thread, long sequence, long lastCall, Runnable done) {
    try {
      awaitEnds(thread, sequence);
      if (several()) {
        awaitEarlier(firstProgress, Math.min(lastCall, sequence - 1));
      }
      done.run();
    } finally {
      endings.remove(new Ending(thread, sequence));
    }
  }

  /** Waits until the ends of a thread that came before a number are done. */
  private void awaitEnds(int thread, long sequence) {
    while (anyEnds(thread, sequence) && !over.getAsBoolean()) {
      LockSupport.parkNanos(NAP_NS);
    }
  }

  private boolean anyEnds(int thread, long before) {
    for (Ending ending : endings) {
      if (ending.thread == thread && ending.sequence < before) {
        return true;
      }
    }
    return false;
  }

  /** Behind each call that has begun. */
  void end(CallFrame call) {
    if (call.turn != null) {
      call.turn.unlock();
      call.turn = null;
      if (wide.isHeldByCurrentThread()) {
        wide.unlock();
      }
    }
  }

  private void lock(CallFrame call) {
    ReentrantLock turn = lanes.get(call.lane);
    if (turn == null) {
      lanes.compareAndSet(call.lane, null, new ReentrantLock());
      turn = lanes.get(call.lane);
    }
    turn.lock();
    call.turn = turn;
    try {
      boolean unused = wide.tryLock(LATE_MS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits until all that the client has sent in other rings is issued, at most so long. */
  void awaitAll(long most) {
    if (several()) {
      long all = overRings() ? Long.MAX_VALUE - 1 : last;
      await(firstProgress, all, System.nanoTime() + most);
    }
  }

  private void await(Progress own, long sequence, long until) {
    CompleteNumbers sent = numbers;
    if (sent != null) {
      boolean others = own != firstProgress;
      if (!isIssued(sent, sequence, others)) {
        await(() -> isIssued(sent, sequence, others), () -> nap(sent, sequence), until);
      }
      return;
    }
    Progress[] all = progress;
    for (int i = 0; i < all.length && sequence > 0; i++) {
      if (all[i] != own) {
        await(all[i], all[i].arrived(), sequence, until);
      }
    }
  }

  private void await(Progress other, long bytes, long sequence, long until) {
    await(() -> other.issued(sequence, bytes), () -> LockSupport.parkNanos(NAP_NS), until);
  }

  private boolean isIssued(CompleteNumbers sent, long sequence, boolean others) {
    return sent.includes(sequence) && !(others && queues.firstPosted() <= sequence);
  }

  /** A number that is missing tells once it comes. */
  private static void nap(CompleteNumbers sent, long sequence) {
    if (sent.includes(sequence)) {
      LockSupport.parkNanos(NAP_NS);
    } else {
      sent.await(sequence);
    }
  }

  private void await(BooleanSupplier issued, Runnable nap, long until) {
    for (int looks = 0; !issued.getAsBoolean() && !over.getAsBoolean(); looks++) {
      if (looks < SPINS) {
        Thread.onSpinWait();
      } else if (until != Long.MAX_VALUE && System.nanoTime() - until > 0) {
        return;
      } else {
        nap.run();
      }
    }
  }

  /** Their threads return. */
  synchronized void shutdown() {
    closed = true;
    for (RingIssuer issuer : issuers) {
      if (issuer != null) {
        issuer.shutdown();
      }
    }
  }

  /** Waits until nothing of theirs is at work but their threads. */
  synchronized void await() throws InterruptedException {
    for (RingIssuer issuer : issuers) {
      if (issuer != null) {
        issuer.await();
      }
    }
  }

  /** Frees what they hold; their threads have ended. */
  synchronized void close() {
    for (RingIssuer issuer : issuers) {
      if (issuer != null) {
        issuer.close();
      }
    }
  }

  /**
   * How far the calls of one ring are issued: written by the ring's reader, read by the readers of
   * the others. A call whose client waits for its answer is no concern of theirs: it has no order
   * with calls that are made meanwhile.
   */
  static final class Progress {
    /** Words of a line of a cache, before and behind the two that are used. */
    private static final int LINE = 8;

    private static final int PAST = LINE;
    private static final int AT = PAST + 1;

    private final LongSupplier arrived;
    private final LongSupplier queued;
    // In lines of their own: the readers of two rings would take them from each other all the time.
    private final AtomicLongArray words = new AtomicLongArray(3 * LINE);

    /**
     * Of a ring into which the client has written {@code arrived} bytes; {@code queued} says which
     * posted call is the first that has been read and is not issued.
     */
    Progress(LongSupplier arrived, LongSupplier queued) {
      this.arrived = arrived;
      this.queued = queued;
    }

    /** All frames in so many bytes are issued, queued, or are waited for. */
    void past(long bytes) {
      words.setRelease(PAST, bytes);
    }

    long at() {
      return words.getAcquire(AT);
    }

    /** The reader is at the call of this number, and over with all before it. */
    void at(long sequence) {
      words.setRelease(AT, sequence);
    }

    /** The same, and never back. */
    void reaches(long sequence) {
      if (at() < sequence) {
        at(sequence);
      }
    }

    /** Bytes that the client has written so far. */
    long arrived() {
      return arrived.getAsLong();
    }

    /**
     * Whether all posted calls up to a number are issued that lie in the first bytes of the ring.
     */
    boolean issued(long sequence, long bytes) {
      return (words.getAcquire(PAST) >= bytes || at() > sequence) && queued.getAsLong() > sequence;
    }
  }
}
