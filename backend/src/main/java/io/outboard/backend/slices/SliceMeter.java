// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.slices;

import io.outboard.backend.library.LeasedObjects;
import io.outboard.backend.quota.CurrentContext;
import io.outboard.backend.quota.SlicePlace;
import io.outboard.backend.system.EventCount;
import io.outboard.backend.system.NativeBuffer;
import io.outboard.communicator.posix.Futex;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaResult;
import io.outboard.wire.Native;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Keeps what a worker begins on a device within its lease's time slices, and measures how long the
 * device is busy with it.
 *
 * <p>A thread that begins a piece of work waits while it is not the lease's turn, or while too much
 * is under way. The bound is so low that a slice can end soon, and so high that the device does not
 * wait. Events ({@link WorkBatch}) tell how much is under way. One thread looks at them, and also
 * talks to the daemon. A driver answers one thread at a time, and a thread that meets a held lock
 * sleeps longer than a launch takes. The thread that looks therefore keeps out of the way while
 * others begin work; these look themselves before they would have to wait. Work that takes very
 * long, a kernel that runs for ever say, does not count as under way: it may wait for the next
 * piece.
 */
public final class SliceMeter {
  private static final long MICROSECOND = TimeUnit.MICROSECONDS.toNanos(1);

  /** Batches under way. */
  private static final int MOST_BATCHES = 2;

  /** Pieces in a batch. */
  private static final int MOST_PIECES = 128;

  /** The time that a batch is to take. */
  private static final long BATCH_NS = 4_000 * MICROSECOND;

  /** Longer waits do not count. */
  private static final long LONG_NS = 100_000 * MICROSECOND;

  /** Where nothing was begun for so long, the batch is closed. */
  private static final long TAIL_NS = 200 * MICROSECOND;

  /** A program that mostly goes on so soon keeps the device meanwhile. */
  private static final long PAUSE_NS = 2_000 * MICROSECOND;

  private static final long SHORT_PAUSE_NS = 100 * MICROSECOND;
  private static final long SHORTEST_LOOK_NS = 50 * MICROSECOND;
  private static final long LONGEST_LOOK_NS = 1_000 * MICROSECOND;

  /** While work is begun the thread sleeps for such a part of the time in which that was so. */
  private static final long KEPT_OUT = 32;

  private static final long REST_NS = TimeUnit.SECONDS.toNanos(1);

  // Taken before the lock by a thread that asks the driver for finished work, which takes longer
  // than a launch: while it is held no context ends, and no event with it.
  private final ReentrantLock looks = new ReentrantLock();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Supplier<CudaDriver> driver;
  private final SlicePlace place;
  private final EventCount daemon;
  private final WorkMarks marks;
  private final LongSupplier nanos;
  private final Deque<WorkBatch> underWay = new ArrayDeque<>();
  private final Futex futex = new Futex();
  // The context of the meter's thread, and of threads that look themselves, guarded by looks; and
  // of calling threads, guarded by the lock.
  private final CurrentContext own;
  private final CurrentContext askers;
  private final CurrentContext callers;
  private final Thread thread;
  // These are changed by the holder of the lock, and read by the meter's thread without it.
  private final AtomicLong begun = new AtomicLong();
  private volatile boolean awaited;
  private volatile boolean closed;
  // Set by the meter's thread before it sees that nobody waits for it.
  private volatile boolean keepsOut;
  // The meter's thread's own: the work begun when it woke last, and when it last did not keep out.
  private long begunThen;
  private long lookedAt;
  // All of these are guarded by the lock.
  private WorkBatch open = new WorkBatch();
  private boolean started;
  // Whether the thread sleeps until an event comes.
  private boolean rests;
  private int waiting;
  private int beginning;
  private int counting;
  private int limit = 1;
  private long request;
  private long took = BATCH_NS;
  private long done;
  private long busySince;
  private long busy;
  private boolean quick = true;

  public SliceMeter(CudaDriver driver, SlicePlace place, EventCount daemon) {
    this(() -> driver, place, daemon, System::nanoTime);
  }

  /** {@code driver} is asked for once there is work of CUDA's; null where there was none yet. */
  SliceMeter(Supplier<CudaDriver> driver, SlicePlace place, EventCount daemon) {
    this(driver, place, daemon, System::nanoTime);
  }

  /** By another clock. */
  SliceMeter(CudaDriver driver, SlicePlace place, EventCount daemon, LongSupplier nanos) {
    this(() -> driver, place, daemon, nanos);
  }

  private SliceMeter(
      Supplier<CudaDriver> driver, SlicePlace place, EventCount daemon, LongSupplier nanos) {
    this.driver = driver;
    this.nanos = nanos;
    this.place = place;
    this.daemon = daemon;
    this.marks = new WorkMarks(driver);
    this.own = new CurrentContext(driver);
    this.askers = new CurrentContext(driver);
    this.callers = new CurrentContext(driver);
    this.thread = Thread.ofPlatform().name("slices").daemon(true).unstarted(this::run);
  }

  /** Waits until a piece of work may be begun; {@link #begun} follows. */
  public void begin() {
    lock.lock();
    try {
      if (!arrive()) {
        start();
        awaitTurn();
      }
      enter();
    } finally {
      lock.unlock();
    }
  }

  /** Whether a piece of work may be begun at once; else one more waits. */
  boolean arrive() {
    if (isIdle() && waiting == 0) {
      quick = nanos.getAsLong() - done < PAUSE_NS;
    }
    if (mayBegin()) {
      return true;
    }
    waiting++;
    awaited = true;
    if (keepsOut) {
      place.advance();
    }
    ask();
    return false;
  }

  /** One that waits need not any more. */
  void leave() {
    waiting--;
    awaited = waiting > 0;
  }

  /** A piece of work is about to be begun. */
  void enter() {
    if (isIdle()) {
      busySince = nanos.getAsLong();
      wake();
    }
    beginning++;
  }

  boolean mayBegin() {
    return counting < MOST_BATCHES && holds() && place.demand() != SlicePlace.YIELD;
  }

  private boolean holds() {
    return SlicePlace.wants(request) && place.grant() == request;
  }

  private void start() {
    if (!started) {
      started = true;
      thread.start();
    }
  }

  private void awaitTurn() {
    while (!mayBegin() && !closed) {
      changed.awaitUninterruptibly();
    }
    leave();
  }

  /** The thread that looks at what is under way need not be told while it does. */
  private void wake() {
    if (rests) {
      rests = false;
      place.advance();
    }
  }

  /**
   * A piece of work was begun in a stream of a context, which is current.
   *
   * @return {@code result}
   */
  int begun(long context, long stream, int result) {
    boolean full;
    lock.lock();
    try {
      beginning--;
      full = result == CudaResult.SUCCESS && add(context, stream);
    } finally {
      lock.unlock();
    }
    if (full) {
      lookAtOnce(context);
    }
    return result;
  }

  /**
   * The same of another library, which keeps its queue until the work is over.
   *
   * @param queue 0 where the work is over already
   */
  public void begun(LeasedObjects owner, long queue, int result) {
    long context = current();
    boolean full = false;
    lock.lock();
    try {
      beginning--;
      if (result == CudaResult.SUCCESS) {
        open.add(owner, queue);
        full = added(context);
      }
    } finally {
      lock.unlock();
    }
    if (full) {
      lookAtOnce(context);
    }
  }

  /** The context of a thread that calls another library than CUDA. */
  private long current() {
    CudaDriver cuda = driver.get();
    if (cuda == null) {
      return 0;
    }
    try (NativeBuffer buffer = new NativeBuffer(Long.BYTES)) {
      int result = cuda.cuCtxGetCurrent(buffer.address());
      return result == CudaResult.SUCCESS ? Native.getLong(buffer.address()) : 0;
    }
  }

  private boolean add(long context, long stream) {
    open.add(context, stream);
    return added(context);
  }

  /** Returns whether no more may be begun. */
  private boolean added(long context) {
    begun.lazySet(begun.getPlain() + 1);
    if (open.pieces() < limit && !open.isFull()) {
      return false;
    }
    close(context);
    return counting >= MOST_BATCHES;
  }

  /**
   * Unless the meter's thread looks just now; on a thread whose context is current, and stays so.
   */
  private void lookAtOnce(long context) {
    if (!looks.tryLock()) {
      return;
    }
    try {
      askers.is(context);
      lookForOne();
      askers.enter(context);
      noteAtOnce();
    } finally {
      looks.unlock();
    }
  }

  /** One that is done lets the next be begun. */
  private void lookForOne() {
    for (WorkBatch batch : batches()) {
      batch.look(marks, askers, nanos.getAsLong());
      if (batch.isDone()) {
        return;
      }
    }
  }

  private void noteAtOnce() {
    lock.lock();
    try {
      note(nanos.getAsLong());
      letGoOn();
    } finally {
      lock.unlock();
    }
  }

  private void letGoOn() {
    if (waiting > 0 && mayBegin()) {
      changed.signalAll();
    }
  }

  /** Something happens to a stream that must not meet an event of ours. */
  int exclusively(long context, long stream, IntSupplier call) {
    lock.lock();
    try {
      if (open.has(stream)) {
        close(context);
      }
      return call.getAsInt();
    } finally {
      lock.unlock();
    }
  }

  /**
   * A context ends, perhaps, and its events with it; {@code threads} is the one that is current.
   */
  public void ending(long threads, long context) {
    looks.lock();
    lock.lock();
    try {
      close(threads);
      underWay.forEach(batch -> batch.forget(context));
      marks.forget(context);
      own.forget();
    } finally {
      lock.unlock();
      looks.unlock();
    }
  }

  /** On a thread whose context is current, and stays so. */
  private void close(long context) {
    callers.is(context);
    closeBatch(callers, nanos.getAsLong());
    callers.enter(context);
  }

  private void closeBatch(CurrentContext thread, long now) {
    if (open.pieces() > 0) {
      open.close(marks, thread, now);
      underWay.add(open);
      counting++;
      open = new WorkBatch();
    }
  }

  private boolean isIdle() {
    return beginning == 0 && open.pieces() == 0 && underWay.isEmpty();
  }

  private void run() {
    int seen = place.events();
    for (long sleep = step(); sleep >= 0; sleep = step()) {
      place.await(futex, seen, sleep);
      seen = place.events();
    }
  }

  /** How long there is nothing to do, negative when this has ended. */
  long step() {
    long now = nanos.getAsLong();
    boolean goesOn = goesOn();
    keepsOut = true;
    if (goesOn && !awaited && !closed && place.demand() == SlicePlace.NONE) {
      return Math.clamp((now - lookedAt) / KEPT_OUT, TAIL_NS, BATCH_NS);
    }
    keepsOut = false;
    lookedAt = now;
    looks.lock();
    try {
      look();
      return advance(goesOn);
    } finally {
      looks.unlock();
    }
  }

  /** Whether something was begun since this thread woke last. */
  private boolean goesOn() {
    long then = begunThen;
    begunThen = begun.get();
    return begunThen != then;
  }

  /** The work under way that is done; no thread that begins work waits meanwhile. */
  private void look() {
    batches().forEach(batch -> batch.look(marks, own, nanos.getAsLong()));
  }

  private List<WorkBatch> batches() {
    lock.lock();
    try {
      return List.copyOf(underWay);
    } finally {
      lock.unlock();
    }
  }

  private long advance(boolean goesOn) {
    lock.lock();
    try {
      if (closed) {
        return -1;
      }
      long now = nanos.getAsLong();
      note(now);
      if (!goesOn) {
        closeTail(now);
      }
      giveBack(now);
      ask();
      letGoOn();
      return sleep(now);
    } finally {
      lock.unlock();
    }
  }

  private void note(long now) {
    int pieces = 0;
    int counted = 0;
    long since = Long.MAX_VALUE;
    long lasted = 0;
    boolean any = !underWay.isEmpty();
    for (Iterator<WorkBatch> batches = underWay.iterator(); batches.hasNext(); ) {
      WorkBatch batch = batches.next();
      if (batch.isDone()) {
        pieces += batch.pieces();
        since = Math.min(since, Math.max(done, batch.closed()));
        lasted = batch.lasted();
        batch.giveBack(marks);
        batches.remove();
      } else {
        counted += now - batch.closed() < LONG_NS ? 1 : 0;
      }
    }
    counting = counted;
    if (pieces > 0) {
      done = now;
      learn(pieces, Math.max(1, (ranDry() ? lasted : now) - since));
    }
    if (any) {
      count(now);
    }
  }

  /**
   * Whether the device waits for work, and work for this to be seen: for how long is not known, and
   * who looks late must not take it for the time of the work, and allow still less.
   */
  private boolean ranDry() {
    return waiting > 0 && isIdle() && place.demand() != SlicePlace.YIELD;
  }

  /** How many pieces a batch may have, from how long some took. */
  private void learn(int pieces, long time) {
    took = time;
    if (pieces >= limit || time > BATCH_NS) {
      limit = (int) Math.clamp(pieces * BATCH_NS / time, 1, Math.min(2L * limit, MOST_PIECES));
    }
  }

  private void count(long now) {
    busy += now - busySince;
    busySince = now;
    place.busy(busy);
  }

  private void closeTail(long now) {
    if (beginning == 0) {
      closeBatch(own, now);
    }
  }

  private void giveBack(long now) {
    if (!holds() || !isIdle()) {
      return;
    }
    long demand = place.demand();
    boolean unused = waiting == 0 && now - done >= pause();
    if (demand == SlicePlace.YIELD || (demand == SlicePlace.CONTENDED && unused)) {
      request(request + 1);
    }
  }

  private long pause() {
    return quick ? PAUSE_NS : SHORT_PAUSE_NS;
  }

  private void ask() {
    if (waiting > 0 && !SlicePlace.wants(request)) {
      request(request + 1);
    }
  }

  private void request(long number) {
    request = number;
    place.request(number);
    daemon.advance();
  }

  private long sleep(long now) {
    boolean leaving = place.demand() == SlicePlace.YIELD;
    if (!underWay.isEmpty()) {
      return leaving ? SHORTEST_LOOK_NS : Math.clamp(took / 4, SHORTEST_LOOK_NS, LONGEST_LOOK_NS);
    }
    if (!isIdle()) {
      return leaving ? SHORTEST_LOOK_NS : TAIL_NS;
    }
    boolean pauses = holds() && place.demand() == SlicePlace.CONTENDED;
    rests = !pauses;
    return rests ? REST_NS : Math.clamp(done + pause() - now, SHORTEST_LOOK_NS, PAUSE_NS);
  }

  /**
   * While no calls come: gives the lease's slice back.
   *
   * @return whether that is so, as nothing is under way any more; from then on the thread calls the
   *     driver no more until there are calls again
   */
  boolean rest() {
    lock.lock();
    try {
      boolean rests = isIdle() && waiting == 0;
      if (rests && SlicePlace.wants(request)) {
        request(request + 1);
      }
      return rests;
    } finally {
      lock.unlock();
    }
  }

  /** Lets everybody go on, and waits until the thread, which reads the shared memory, has ended. */
  public void close() throws InterruptedException {
    letAllGo();
    if (thread.getState() != Thread.State.NEW) {
      thread.join();
    }
  }

  private void letAllGo() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
      place.advance();
    } finally {
      lock.unlock();
    }
  }
}
