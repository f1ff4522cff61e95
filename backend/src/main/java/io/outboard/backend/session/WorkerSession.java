// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.session;

import io.outboard.backend.lease.LeaseMeters;
import io.outboard.backend.library.HeldDevices;
import io.outboard.backend.library.LibraryInstance;
import io.outboard.backend.library.WorkerLibraries;
import io.outboard.backend.system.Log;
import io.outboard.backend.system.Pause;
import io.outboard.backend.system.SharedPage;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.stream.ByteStream;
import io.outboard.communicator.stream.SocketStream;
import io.outboard.wire.Dispatcher;
import io.outboard.wire.Frame;
import io.outboard.wire.Native;
import io.outboard.wire.ProtocolException;
import io.outboard.wire.Region;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;

/**
 * One client's session in a worker: reads its frames, runs its calls, answers.
 *
 * <p>Its threads are leader and followers. The leader reads a frame and runs it itself: handing it
 * to another thread would cost two context switches, more than most calls take. Before a call that
 * may wait, the leader keeps the call and passes the lead to a follower, so that the other threads
 * of the program go on; where these seem to be quiet (see {@link SoleCaller}) it waits itself. A
 * leader whose call takes long loses the lead (see {@link LongCallWatch}). {@link Lanes} keeps the
 * order.
 */
public final class WorkerSession {
  private static final int SPARE_CALLS = 64;

  /** Calls that other rings hold longer are not issued before the session ends. */
  private static final long LAST_NS = TimeUnit.SECONDS.toNanos(2);

  /** So long a client that has ended may be heard over one connection and not over another. */
  private static final long GOODBYE_MS = 200;

  /**
   * Most bytes that calls hold which are not under way: pages of new memory cost more than a call.
   */
  private static final long SPARE_BYTES = 8 << 20;

  private final Connection connection;
  private final HandleTable handles;
  private final ClientCallbacks callbacks;
  private final SharedPage page;
  private final CallTimes times;
  private final Payloads payloads = new Payloads();
  private final CallTrace trace;
  private final ClientContext context;
  private final ControlFrames control;
  private final LeaseMeters meters;
  private final SessionThreads crew = new SessionThreads();
  private final Lanes lanes = new Lanes(this::drain);
  private final Rings rings;
  private final SoleCaller sole = new SoleCaller();
  private final CallGate gate = new CallGate();
  private final LongCallWatch watch;
  private final Runnable lead = this::lead;
  private final Work leading = this::leadOn;
  private final Latches latches = new Latches();
  private final Deque<CallFrame> spareCalls = new ArrayDeque<>();
  private long spareBytes;
  // Calls that have come, are to be answered and are not yet.
  private final AtomicInteger unanswered = new AtomicInteger();
  private final CountDownLatch ended = new CountDownLatch(1);
  private final AtomicReference<SessionEnd> end = new AtomicReference<>();
  private WorkerLibraries libraries = new WorkerLibraries();
  private volatile Heartbeat heartbeat;
  // 0 where there is none.
  private volatile long beatMs;
  private final Map<Integer, LastingStream> returning = new ConcurrentHashMap<>();
  // The call that the leader runs in its turn, and its lane; written before the turn begins.
  private CallFrame leadersCall;
  private Lane leadersLane;

  /** Prepares a session; {@code tag} is the part of its handles that the client chose. */
  public WorkerSession(Connection connection, int tag, String devices, SharedPage page) {
    this.handles = new HandleTable(tag);
    this.connection = connection;
    this.watch = new LongCallWatch(this::passLeadOfLateCall, connection::attend);
    this.callbacks = new ClientCallbacks(connection, page);
    this.trace = new CallTrace(connection);
    this.context = new ClientContext(connection, handles, devices);
    this.meters = new LeaseMeters(context);
    handles.onEnd(meters::ended);
    this.rings = new Rings(connection, page, lanes, this::isOver);
    this.control =
        new ControlFrames(
            connection, callbacks, trace, context, lanes, gate, payloads, rings, this::openRing);
    this.page = page;
    this.times = new CallTimes(page);
  }

  /** The session as its libraries see it. */
  public ClientContext context() {
    return context;
  }

  /**
   * Takes what happens when the client says that its connections for bulk data are lost; it is told
   * the last transfer that used them.
   */
  public void onBulkLoss(LongConsumer listener) {
    control.onBulkLoss(listener);
  }

  /** Tells the client that they are lost here: it may see nothing of that. */
  public void tellBulkLoss(long transfer) {
    try {
      byte[] body =
          ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(transfer).array();
      connection.send(Frame.KIND_BULK_LOST, body);
    } catch (IOException e) {
      Log.debug("a loss is not told to a client that has gone: " + e.getMessage());
    }
  }

  /** Begins to serve with the libraries that are open; more may be opened later. */
  public void serve(WorkerLibraries served) {
    libraries = served;
    control.serve(served);
    context.welcomed();
    connection.onFull(this::passLead);
    watch.start();
    crew.run(lead);
  }

  /**
   * Tells the client so often that this side works on, where it waits; for one from whose
   * connection it cannot see that.
   */
  public void beat(long periodMs) {
    beatMs = periodMs;
    heartbeat = new Heartbeat(connection, this::isAwaited, this::away, periodMs);
    heartbeat.start();
  }

  private int away() {
    int away = connection.isAway() ? 1 : 0;
    for (Map.Entry<Integer, LastingStream> one : returning.entrySet()) {
      away |= one.getValue().isGone() ? 2 << one.getKey() : 0;
    }
    return away;
  }

  private boolean isAwaited() {
    return unanswered.get() > 0 || lanes.full();
  }

  /** The gate before the devices. */
  public CallGate gate() {
    return gate;
  }

  /** Its state on devices. */
  public HeldDevices held() {
    return libraries.held();
  }

  /** The functions that were called most, each with its count behind it; at most so many. */
  public String mostCalled(int most) {
    return libraries.mostCalled(most);
  }

  public boolean isOver() {
    return end.get() != null;
  }

  /** Waits for the session's end. */
  public SessionEnd await() throws InterruptedException {
    ended.await();
    return end.get();
  }

  /** Ends the session; the first cause counts. */
  public void end(String cause, boolean orderly) {
    if (end.compareAndSet(null, new SessionEnd(cause, orderly))) {
      // Before the connection ends: others see that, and would take it for the client's doing.
      page.cause(cause);
      connection.shutdown();
      rings.shutdown();
      callbacks.close();
      lanes.close();
      watch.close();
      crew.close();
      if (heartbeat != null) {
        heartbeat.close();
      }
      ended.countDown();
    }
  }

  /** Frees what an ended session holds in this process, once its calls have returned. */
  public void free() throws InterruptedException {
    watch.await();
    crew.await();
    if (heartbeat != null) {
      heartbeat.await();
    }
    rings.await();
    spareCalls.forEach(CallFrame::free);
    trace.close();
    callbacks.free();
    rings.close();
    connection.close();
  }

  private interface Work {
    void run() throws IOException;
  }

  private void guarded(Work work) {
    try {
      work.run();
    } catch (IOException e) {
      end(e.getMessage(), true);
    } catch (ProtocolException e) {
      end("the client broke the protocol: " + e.getMessage(), false);
    } catch (RuntimeException | Error e) {
      Log.failure("a call failed", e);
      end("internal error: " + e, false);
    }
  }

  private void lead() {
    guarded(leading);
  }

  private void leadOn() throws IOException {
    CallFrame call = takeCall();
    while (call != null && !isOver()) {
      rings.readsOn();
      long frame = connection.next();
      page.alive(handles.live());
      call =
          switch (Native.getByte(frame + Frame.KIND)) {
            case Frame.KIND_CALL -> lead(call, frame);
            case Frame.KIND_PAYLOAD -> payload(call, frame);
            default -> control(call, frame);
          };
    }
  }

  /** Not under the watch, however long it takes: the next call may be the one that it is for. */
  private CallFrame payload(CallFrame call, long frame) {
    payloads.add(frame);
    rings.comes(Native.getLong(frame + Frame.SEQUENCE));
    return call;
  }

  /** Takes a frame; returns what the next one is taken with, null if the lead is gone. */
  private CallFrame lead(CallFrame call, long frame) throws IOException {
    call.take(frame);
    call.earlier = sole.called(call.thread);
    call.unanswered = unanswered;
    rings.reads(call, frame);
    Lane lane = prepare(call);
    if (!lanes.direct(lane, call)) {
      return queue(lane, call);
    }
    return call.waits() && !mayWaitInTurn() ? runAside(call) : runInTurn(lane, call);
  }

  private Lane prepare(CallFrame call) {
    page.called();
    if (call.answered()) {
      call.unanswered.incrementAndGet();
    }
    call.library = library(call.libraryNumber);
    libraries.called(call.libraryNumber, call.number);
    call.meter = meters.of(call.library);
    call.answering = call.library.dispatcher().answering(call.number);
    if (call.hasPayload()) {
      call.attach(payloads.take(call.thread));
    }
    return lanes.of(call.lane);
  }

  private boolean openRing(long number) {
    if (number == Region.FUNCTIONS) {
      return callbacks.goApart();
    }
    // A call to several hosts may ask each of them, and has an order there.
    boolean here = context.joined().isEmpty();
    RingIssuer issuer = here ? rings.open(number, this::issuer) : null;
    if (issuer != null) {
      crew.run(() -> guarded(() -> issuer.issue(this::isOver)));
    }
    return issuer != null || (here && rings.await(number));
  }

  /**
   * Takes over a connection that a thread of the client is to have to itself; closes one that the
   * client has not announced.
   *
   * @param graceSeconds how long it may be away; 0: the session ends with it
   */
  public void connect(int number, int socket, int graceSeconds) {
    if (!rings.isAwaited(number)) {
      Posix.close(socket);
      return;
    }
    connect(
        number,
        graceSeconds > 0 ? lasting(number, socket, graceSeconds) : new SocketStream(socket));
  }

  /** The same of one that is awaited. */
  void connect(int number, ByteStream stream) {
    RingIssuer issuer = issuer(beside(stream), rings.ofConnection());
    if (!rings.take(number, issuer)) {
      issuer.close();
      return;
    }
    if (beatMs > 0) {
      issuer.beat(this::away, beatMs);
    }
    crew.run(() -> guarded(() -> issueUntilEnd(issuer)));
  }

  private LastingStream lasting(int number, int socket, int graceSeconds) {
    LastingStream stream = LastingStream.ofThread(socket, graceSeconds);
    returning.put(number, stream);
    return stream;
  }

  /** The stream of such a connection, for the client that comes back; none where it cannot. */
  public Optional<LastingStream> returning(int number) {
    return Optional.ofNullable(returning.get(number));
  }

  private Connection beside(ByteStream stream) {
    Connection own = new Connection(stream, page, Optional.of(connection));
    if (stream instanceof LastingStream lasting) {
      own.goOver(lasting);
    }
    return own;
  }

  /** The client's goodbye comes over the first connection, perhaps a little later. */
  private void issueUntilEnd(RingIssuer issuer) throws IOException {
    try {
      issuer.issue(this::isOver);
    } catch (EOFException e) {
      Pause.ms(GOODBYE_MS);
      throw e;
    }
  }

  private RingIssuer issuer(ByteStream stream, Rings.Progress progress) {
    return issuer(new Connection(stream, page), progress);
  }

  private RingIssuer issuer(Connection own, Rings.Progress progress) {
    return new RingIssuer(
        own,
        progress,
        new CallFrame(handles, callbacks, own),
        new RingIssuer.Calls() {
          @Override
          public void prepare(CallFrame call, Connection from) {
            rings.reads(call, from);
            Lane unused = WorkerSession.this.prepare(call);
          }

          @Override
          public void run(CallFrame call) throws IOException {
            WorkerSession.this.run(call);
            rings.comes(call.sequence);
          }

          @Override
          public void comes(long sequence) {
            rings.comes(sequence);
          }
        },
        payloads);
  }

  /** The end of a client's function may have to be read while a call waits for it. */
  private boolean mayWaitInTurn() {
    return sole.alone() && !callbacks.needReader();
  }

  private LibraryInstance library(int number) {
    LibraryInstance library = libraries.numbered(number);
    if (library == null) {
      throw new ProtocolException("a call of library " + number + ", which is not open");
    }
    return library;
  }

  private CallFrame queue(Lane lane, CallFrame call) {
    call.keepBody();
    if (lanes.queue(lane, call)) {
      crew.run(lane.drain);
    }
    return takeCall();
  }

  private CallFrame runAside(CallFrame call) throws IOException {
    call.keepBody();
    crew.run(lead);
    run(call);
    giveCall(call);
    return null;
  }

  /** A call that waits does not hold its lane up, should it be late. */
  private CallFrame runInTurn(Lane lane, CallFrame call) throws IOException {
    boolean waits = call.waits();
    Lane held = waits ? null : lane;
    long number = begin(held, call);
    if (waits && sole.mayBeMet()) {
      return waitAttended(call, number);
    }
    long begun = waits ? CallTimes.UNMEASURED : times.begin();
    run(call);
    times.end(begun);
    return end(number) ? call : lateCallHasRun(held, call);
  }

  /** Frames that another thread of the client sends meanwhile are read at once. */
  private CallFrame waitAttended(CallFrame call, long number) throws IOException {
    connection.attended(true);
    watch.attend(number);
    run(call);
    if (!end(number)) {
      return lateCallHasRun(null, call);
    }
    connection.attended(false);
    return call;
  }

  private long begin(Lane lane, CallFrame call) {
    leadersCall = call;
    leadersLane = lane;
    return watch.begin();
  }

  private boolean end(long number) {
    if (watch.end(number)) {
      leadersCall.clear();
      return true;
    }
    return false;
  }

  /**
   * By the watching thread: another thread reads on, and the late call has its lane to itself. Only
   * where there is something to read: else the thread that waits for the device would find another
   * one in its place, asleep, when the client goes on.
   */
  private void passLeadOfLateCall() {
    if (connection.pending()) {
      passLead();
    }
  }

  /** Another thread reads on, if one runs a call in its turn. */
  private void passLead() {
    long number = watch.now();
    if ((number & 1) != 0 && lanes.hold(() -> takeTurn(number), leadersLane, leadersCall)) {
      crew.run(lead);
    }
  }

  private boolean takeTurn(long number) {
    if ((number & 1) == 0 || !watch.end(number)) {
      return false;
    }
    leadersCall.keep(connection.keepBuffer());
    return true;
  }

  private CallFrame lateCallHasRun(Lane lane, CallFrame call) throws IOException {
    lanes.issued(lane, call);
    giveCall(call);
    if (lane != null) {
      drainOn(lane);
    }
    return null;
  }

  private void drain(Lane lane) {
    guarded(() -> drainOn(lane));
  }

  private void drainOn(Lane lane) throws IOException {
    for (CallFrame call = lanes.next(lane); call != null; call = lanes.next(lane)) {
      if (call.waits()) {
        runAside(lane, call);
        return;
      }
      run(call);
      lanes.issued(lane, call);
      giveCall(call);
    }
  }

  private void runAside(Lane lane, CallFrame call) throws IOException {
    lanes.issued(lane, call);
    if (lanes.leave(lane)) {
      crew.run(lane.drain);
    }
    run(call);
    giveCall(call);
  }

  private void run(CallFrame call) throws IOException {
    long begun = call.waits() ? System.nanoTime() : 0;
    int result = inOrder(call);
    if (call.answered()) {
      noteWait(call, begun);
      call.reply(result);
      call.unanswered.decrementAndGet();
      return;
    }
    if (result != 0) {
      latches.keep(call, result);
    }
  }

  /** Of a call that came over the first ring: nobody waits beside those of others. */
  private void noteWait(CallFrame call, long begun) {
    if (call.waits() && call.earlier != 0) {
      sole.waited(call.earlier, connection.pending(), System.nanoTime() - begun);
    }
  }

  private int inOrder(CallFrame call) throws IOException {
    rings.begin(call);
    try {
      return call.answered() ? answer(call) : dispatch(call);
    } finally {
      rings.end(call);
    }
  }

  /**
   * A latched result is told instead of issuing the call: a call that failed for its client must
   * not have made anything that nobody would free.
   */
  private int answer(CallFrame call) throws IOException {
    int earlier = latches.take(call);
    return earlier == 0 || call.last() ? dispatch(call) : earlier;
  }

  /** Once more where memory is short, and may be on its way back in another ring. */
  private int dispatch(CallFrame call) throws IOException {
    int result = dispatchOnce(call);
    if (result != call.library.dispatcher().outOfMemory() || !rings.mayBeAhead(call)) {
      return result;
    }
    rings.awaitEarlier(call.ring, call.sequence - 1);
    return dispatchOnce(call);
  }

  private int dispatchOnce(CallFrame call) throws IOException {
    if (!trace.isOn()) {
      return issue(call);
    }
    long begin = System.nanoTime();
    int result = issue(call);
    trace.add(call, result, begin, System.nanoTime());
    return result;
  }

  private int issue(CallFrame call) {
    Dispatcher dispatcher = call.library.dispatcher();
    if (call.answering == Dispatcher.UNKNOWN) {
      return dispatcher.notSupported();
    }
    if (!call.library.usesDevices()) {
      return issue(call, dispatcher);
    }
    gate.enter(call.thread);
    try {
      return issue(call, dispatcher);
    } finally {
      gate.leave(call.thread);
    }
  }

  private int issue(CallFrame call, Dispatcher dispatcher) {
    call.library.enter(call.lane, call.thread);
    call.library.issues(call.sequence);
    int result = call.library.told(call.lane, dispatcher.dispatch(call.number, call));
    if (call.waits()) {
      call.library.waited(result);
    }
    if (call.last()) {
      ended(call.lane);
    }
    return result;
  }

  /** Nothing of a context that has ended is left to the next one that has its lane. */
  private void ended(int lane) {
    latches.clear(lane);
    lanes.ended(lane);
  }

  private CallFrame control(CallFrame call, long frame) throws IOException {
    control.read(frame);
    long number = begin(null, call);
    boolean goesOn = control.obey(call, frame);
    if (!goesOn) {
      rings.awaitAll(LAST_NS);
      end("the client said goodbye", true);
    }
    return end(number) ? call : lateCallHasRun(null, call);
  }

  private CallFrame takeCall() {
    synchronized (spareCalls) {
      CallFrame call = spareCalls.pollLast();
      spareBytes -= call != null ? call.bytes() : 0;
      return call != null ? call : new CallFrame(handles, callbacks, connection);
    }
  }

  private void giveCall(CallFrame call) {
    call.clear();
    synchronized (spareCalls) {
      if (spareCalls.size() < SPARE_CALLS && call.bytes() <= SPARE_BYTES - spareBytes) {
        spareCalls.addLast(call);
        spareBytes += call.bytes();
        return;
      }
    }
    call.free();
  }
}
