// SPDX-License-Identifier: Apache-2.0
package io.outboard.client;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.communicator.Communicator;
import io.outboard.communicator.Endpoint;
import io.outboard.communicator.Listener;
import io.outboard.communicator.Listening;
import io.outboard.communicator.greeting.Claim;
import io.outboard.communicator.greeting.GreetingServer;
import io.outboard.communicator.greeting.Peer;
import io.outboard.communicator.greeting.RefusedException;
import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.Sockets;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaDriverRemote;
import io.outboard.patience.Patience;
import io.outboard.wire.Bytes;
import io.outboard.wire.Caller.Request;
import io.outboard.wire.Frame;
import io.outboard.wire.Limits;
import io.outboard.wire.Message;
import io.outboard.wire.Native;
import io.outboard.wire.Token;
import io.outboard.wire.Welcome;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

// In another thread, since a caller that hangs does not heed interrupts.
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SessionTest {
  private static final int TOY = 3;
  private static final int UNAVAILABLE = 46;
  private static final int LASTING = 7;
  private static final List<ClientLibrary> LIBRARIES =
      List.of(
          new ClientLibrary("toy", TOY, 9, "ab".repeat(16), UNAVAILABLE, code -> code == LASTING));

  @TempDir private Path folder;
  private final Token token = Token.random();
  private final ByteArrayOutputStream printed =
      new ByteArrayOutputStream() {
        @Override
        public synchronized void write(byte[] bytes, int offset, int length) {
          printer = Thread.currentThread();
          super.write(bytes, offset, length);
        }
      };
  private volatile Thread printer;
  private final Arena arena = Arena.ofShared();
  private final ExecutorService pool =
      Executors.newCachedThreadPool(Thread.ofPlatform().daemon().factory());
  private EchoWorker worker;
  private Session session;

  @BeforeEach
  void open() throws IOException {
    session = connect(Endpoint.unix(folder.resolve("s").toString()), Map.of("CUDA_X", "1"));
  }

  private Session connect(Endpoint endpoint, Map<String, String> environment) throws IOException {
    return connect(endpoint, environment, 5_000);
  }

  private Session connect(Endpoint endpoint, Map<String, String> environment, int roundMs)
      throws IOException {
    return connect(endpoint, environment, roundMs, LIBRARIES);
  }

  private Session connect(
      Endpoint endpoint,
      Map<String, String> environment,
      int roundMs,
      List<ClientLibrary> libraries)
      throws IOException {
    Listener listener = Communicator.of(endpoint).listen(endpoint, Listening.PLAIN);
    worker = new EchoWorker(listener, token);
    PrintStream output = new PrintStream(printed, true, StandardCharsets.UTF_8);
    return Session.open(listener.endpoint(), libraries, output, environment, roundMs);
  }

  @AfterEach
  void close() throws Exception {
    pool.shutdownNow();
    session.close();
    worker.stop();
    arena.close();
  }

  private int call(int number) {
    return session.begin(TOY, number, 0).send(Frame.FLAG_ANSWER);
  }

  private int echo(long value) {
    Request request = session.begin(TOY, EchoWorker.ECHO, 8);
    Native.putLong(request.body(), value);
    int result = request.send(Frame.FLAG_ANSWER);
    if (result == 0) {
      assertEquals(8, request.replyBytes());
      assertEquals(value, Native.getLong(request.reply()));
    }
    return result;
  }

  @Test
  void aCallIsAnswered() {
    assertEquals(0, echo(0x1122334455667788L));
    assertEquals(7, call(EchoWorker.FAIL));
    Request request = session.begin(TOY, EchoWorker.FAIL, 0);
    request.send(Frame.FLAG_ANSWER);
    assertEquals(0, request.reply());
    assertEquals(0, request.replyBytes());
  }

  @Test
  void aReplyThatIsAskedForAheadIsNotWaitedForBeforeTheNextCall() throws Exception {
    MemorySegment to = arena.allocate(4 * Long.BYTES, Long.BYTES);
    worker.pause();
    Future<Integer> asked =
        pool.submit(
            () -> {
              int result = 0;
              for (int i = 0; i < 4; i++) {
                result = ask(EchoWorker.ECHO, 7 + i, to.address() + (long) i * Long.BYTES);
              }
              worker.goOn();
              return session.settle(result);
            });
    assertEquals(0, asked.get());
    assertArrayEquals(new long[] {7, 8, 9, 10}, to.toArray(ValueLayout.JAVA_LONG));
    assertEquals(0, echo(5));
  }

  @Test
  void theFirstFailureOfThoseAskedForAheadIsTold() {
    MemorySegment to = arena.allocate(2 * Long.BYTES, Long.BYTES);
    assertEquals(0, ask(EchoWorker.FAIL, 0, to.address()));
    assertEquals(7, session.settle(ask(EchoWorker.ECHO, 3, to.address() + Long.BYTES)));
    assertEquals(0, echo(5));
  }

  @Test
  void aPartThatIsLongerThanItsPlaceEndsTheSession() {
    MemorySegment to = arena.allocate(Long.BYTES, Long.BYTES);
    assertEquals(UNAVAILABLE, session.settle(ask(EchoWorker.ECHO, 7, to.address(), 4)));
    assertEquals(0, to.get(ValueLayout.JAVA_LONG, 0));
  }

  private int ask(int call, long value, long to) {
    return ask(call, value, to, Long.BYTES);
  }

  private int ask(int call, long value, long to, long most) {
    Request request = session.begin(TOY, call, 0);
    try (Arena own = Arena.ofConfined()) {
      request.append(own.allocateFrom(ValueLayout.JAVA_LONG, value).address(), Long.BYTES);
    }
    return request.ask(0, to, most);
  }

  @Test
  void theClientIntroducesItself() {
    var hello = worker.greeted().hello();
    assertEquals(ProcessHandle.current().pid(), hello.process());
    assertEquals(Map.of("CUDA_X", "1"), hello.environment());
    assertEquals("toy", hello.libraries().getFirst().name());
    assertEquals("ab".repeat(16), hello.libraries().getFirst().digest().hex());
    assertFalse(hello.program().isEmpty());
  }

  @Test
  void aBodyIsZeroedAndPartsArePadded() {
    Request dirty = session.begin(TOY, EchoWorker.ECHO, 64);
    Native.fill(dirty.body(), 64, (byte) -1);
    dirty.send(Frame.FLAG_ANSWER);
    Request request = session.begin(TOY, EchoWorker.ECHO, 12);
    MemorySegment text = arena.allocateFrom("toys");
    request.append(text.address(), 5);
    request.append(0, 0);
    request.send(Frame.FLAG_ANSWER);
    assertEquals(16 + 16 + 8, request.replyBytes());
    assertEquals(0, Native.getLong(request.reply()));
    assertEquals(0, Native.getLong(request.reply() + 8));
    assertEquals(5, Native.getLong(request.reply() + 16));
    assertEquals(0x73796f74L, Native.getLong(request.reply() + 24));
    assertEquals(0, Native.getLong(request.reply() + 32));
  }

  @Test
  void partsUpToAChunkTravelInTheBody() {
    Random random = new Random(6);
    byte[] bytes = new byte[Limits.CHUNK];
    random.nextBytes(bytes);
    MemorySegment part = arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes);
    for (int length : new int[] {1, 8, 4095, 65_537, Limits.CHUNK - 1, Limits.CHUNK}) {
      Request request = session.begin(TOY, EchoWorker.ECHO, 8);
      Native.putLong(request.body(), length);
      request.append(part.address(), length);
      assertEquals(0, request.send(Frame.FLAG_ANSWER));
      assertEquals(length, Native.getLong(request.reply()));
      assertEquals(length, Native.getLong(request.reply() + 8));
      MemorySegment back = Native.MEMORY.asSlice(request.reply() + 16, length);
      assertEquals(-1, part.asSlice(0, length).mismatch(back));
    }
  }

  @Test
  void longerPartsTravelAsAPayload() throws Exception {
    int length = 3 * Limits.CHUNK + 5;
    MemorySegment part = arena.allocate(length).fill((byte) 2);
    Request request = session.begin(TOY, EchoWorker.SUM, 0);
    request.append(part.address(), length);
    assertEquals(Long.MIN_VALUE | length, Native.getLong(request.body()));
    assertEquals(0, request.send(Frame.FLAG_ANSWER));
    assertEquals(2L * length, Native.getLong(request.reply()));
    assertEquals(length, Native.getLong(request.reply() + 8));
    assertEquals(3, Native.getLong(request.reply() + 16));
    for (int bytes : new int[] {Limits.CHUNK, Limits.CHUNK, Limits.CHUNK, 8}) {
      var frame = Patience.take(worker.frames());
      assertEquals(new EchoWorker.Received(Frame.KIND_PAYLOAD, 0, 1, 1, bytes), frame);
    }
    int flags = Frame.FLAG_ANSWER | Frame.FLAG_PAYLOAD;
    var frame = Patience.take(worker.frames());
    assertEquals(new EchoWorker.Received(Frame.KIND_CALL, flags, 1, 1, 8), frame);
  }

  @Test
  void aSecondLongPartIsTheCallersFault() {
    MemorySegment part = arena.allocate(Limits.CHUNK);
    Request request = session.begin(TOY, EchoWorker.SUM, 0);
    request.append(part.address(), Limits.CHUNK);
    request.append(part.address(), Limits.CHUNK);
    assertThrows(
        IllegalArgumentException.class, () -> request.append(part.address(), Limits.CHUNK));
    assertThrows(
        IllegalArgumentException.class, () -> session.begin(TOY, 1, 0).append(0, 1L << 40));
    assertThrows(IllegalArgumentException.class, () -> session.begin(TOY + 1, 1, 0));
  }

  @Test
  void aHeaderSaysWhoAndWhere() {
    session.lane(5);
    int thread = Native.getInt(header() + Frame.THREAD);
    long header = header();
    assertEquals(Frame.HEADER, Native.getInt(header));
    assertEquals(TOY, Native.getInt(header + Frame.LIBRARY));
    assertEquals(EchoWorker.HEADER, Native.getShort(header + Frame.CALL));
    assertEquals(5, Native.getInt(header + Frame.LANE));
    assertEquals(1, thread);
    assertEquals(2, Native.getLong(header + Frame.SEQUENCE));
    assertEquals(0, Native.getLong(header + Frame.ACKNOWLEDGED));
  }

  private long header() {
    Request request = session.begin(TOY, EchoWorker.HEADER, 0);
    assertEquals(0, request.send(Frame.FLAG_ANSWER));
    return request.reply();
  }

  @Test
  void postedCallsDoNotWaitAndStayInOrder() throws Exception {
    for (int i = 0; i < 1000; i++) {
      assertEquals(0, session.begin(TOY, EchoWorker.IGNORE, 8).send(0));
    }
    assertEquals(0, echo(1));
    for (int i = 1; i <= 1001; i++) {
      assertEquals(i, Patience.take(worker.frames()).sequence());
    }
  }

  private int post(int number) {
    return session.begin(TOY, number, 0).send(0);
  }

  @Test
  void callsOfALaneThatIsLostReportItThemselves() {
    assertEquals(LASTING, call(EchoWorker.FAIL));
    assertEquals(LASTING, post(EchoWorker.FAIL));
    session.lane(5);
    assertEquals(0, post(EchoWorker.FAIL));
    session.lane(0);
    assertEquals(0, call(EchoWorker.ECHO));
    assertEquals(LASTING, post(EchoWorker.FAIL));
    // As it is of another context from here on.
    assertEquals(0, post(EchoWorker.ECHO));
    assertEquals(0, post(EchoWorker.FAIL));
  }

  /** Calls that the driver's client posts about a stream and events of two contexts. */
  @Test
  void aCallAboutAnotherLanesHandleIsOrdered() throws Exception {
    close(session, worker);
    Endpoint endpoint = Endpoint.unix(folder.resolve("o").toString());
    session = connect(endpoint, Map.of(), 5_000, List.of(ClientLibrary.CUDA));
    CudaDriver driver = new CudaDriverRemote(session);
    long event = 77;
    long other = 78;
    session.lane(1);
    driver.cuEventRecord(event, 0);
    driver.cuStreamWaitEvent(0, event, 0);
    assertEquals(List.of(0, 0), flags(2));
    session.lane(2);
    driver.cuEventRecord(other, 0);
    driver.cuStreamWaitEvent(0, other, 0);
    driver.cuStreamWaitEvent(0, event, 0);
    assertEquals(List.of(0, 0, Frame.FLAG_ORDERED), flags(3));
    driver.cuEventRecord(event, 0);
    driver.cuStreamWaitEvent(0, event, 0);
    assertEquals(List.of(0, 0), flags(2));
  }

  /** A call that has no stream is made in the thread's. */
  @Test
  void theFormsForAThreadsOwnStreamSaySo() throws Exception {
    close(session, worker);
    Endpoint endpoint = Endpoint.unix(folder.resolve("o").toString());
    session = connect(endpoint, Map.of(), 5_000, List.of(ClientLibrary.CUDA));
    CudaDriver driver = new CudaDriverRemote(session, true);
    MemorySegment word = arena.allocate(Long.BYTES);
    driver.cuMemsetD8Async(1, (byte) 2, 3, 0);
    driver.cuMemsetD8_v2(1, (byte) 2, 3);
    driver.cuEventDestroy_v2(77);
    assertEquals(List.of(Frame.FLAG_PER_THREAD, Frame.FLAG_PER_THREAD, 0), flags(3));
    pool.execute(() -> driver.cuMemcpyHtoD_v2(1, word.address(), Long.BYTES));
    pool.execute(() -> driver.cuMemcpyDtoH_v2(word.address(), 1, Long.BYTES));
    int answered = Frame.FLAG_PER_THREAD | Frame.FLAG_ANSWER;
    assertEquals(List.of(answered, answered), flags(2));
  }

  /** The backend runs a copy aside that is not waited for: what comes next would overtake it. */
  @Test
  void eachPieceOfACopyToTheDeviceIsWaitedFor() throws Exception {
    close(session, worker);
    Endpoint endpoint = Endpoint.unix(folder.resolve("o").toString());
    session = connect(endpoint, Map.of(), 5_000, List.of(ClientLibrary.CUDA));
    CudaDriver driver = new CudaDriverRemote(session);
    MemorySegment bytes = arena.allocate(2L * Limits.CHUNK + 1);
    pool.execute(() -> driver.cuMemcpyHtoD_v2(1, bytes.address(), bytes.byteSize()));
    assertEquals(List.of(Frame.FLAG_ANSWER, Frame.FLAG_ANSWER, Frame.FLAG_ANSWER), flags(3));
  }

  private List<Integer> flags(int calls) throws InterruptedException {
    List<Integer> flags = new ArrayList<>();
    for (int i = 0; i < calls; i++) {
      flags.add(Patience.take(worker.frames()).flags());
    }
    return flags;
  }

  @Test
  void threadsShareTheConnection() throws Exception {
    List<Future<?>> all = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      long base = i * 1_000_000L;
      all.add(
          pool.submit(
              () -> {
                for (int j = 0; j < 1000; j++) {
                  assertEquals(0, echo(base + j));
                }
              }));
    }
    for (Future<?> one : all) {
      Patience.get(one);
    }
    Set<Integer> numbers = new HashSet<>();
    long expected = 1;
    for (EchoWorker.Received frame : worker.frames()) {
      numbers.add(frame.thread());
      assertEquals(expected++, frame.sequence());
    }
    assertEquals(8, numbers.size());
  }

  @Test
  void anEndedThreadIsReported() throws Exception {
    Thread first = Thread.ofPlatform().start(() -> echo(1));
    first.join();
    echo(2);
    int number = Patience.take(worker.frames()).thread();
    var end = Patience.take(worker.frames());
    assertEquals(new EchoWorker.Received(Frame.KIND_THREAD_END, 0, number, 2, 0), end);
    assertNotEquals(number, Patience.take(worker.frames()).thread());
  }

  @Test
  void virtualThreadsMayCall() throws Exception {
    CountDownLatch done = new CountDownLatch(50);
    for (int i = 0; i < 50; i++) {
      int value = i;
      Runnable call =
          () -> {
            if (echo(value) == 0) {
              done.countDown();
            }
          };
      Thread.ofVirtual().start(call);
    }
    Patience.await(done);
  }

  @Test
  void outputIsPrintedAndPingsAreAnswered() {
    assertEquals(0, call(EchoWorker.PRINT));
    assertEquals("hello, kernel\n", printed.toString(StandardCharsets.UTF_8));
    assertTrue(worker.frames().stream().anyMatch(f -> f.kind() == Frame.KIND_PONG));
  }

  @Test
  void aPeerThatDiesIsUnavailableForAllAndForEver() throws Exception {
    List<Future<Integer>> waiting = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      waiting.add(pool.submit(() -> call(EchoWorker.IGNORE)));
    }
    for (int i = 0; i < 4; i++) {
      Patience.take(worker.frames());
    }
    assertEquals(UNAVAILABLE, call(EchoWorker.DIE));
    for (Future<Integer> one : waiting) {
      assertEquals(UNAVAILABLE, Patience.get(one));
    }
    assertEquals(UNAVAILABLE, echo(1));
    assertEquals(UNAVAILABLE, session.begin(TOY, EchoWorker.ECHO, 0).send(0));
    assertEquals("the backend has gone", session.lostBecause().orElseThrow());
  }

  @Test
  void aGoodbyeIsALoss() {
    assertEquals(UNAVAILABLE, call(EchoWorker.GOODBYE));
    assertEquals("the backend ended the session", session.lostBecause().orElseThrow());
  }

  @Test
  void closingWakesWhoWaits() throws Exception {
    Future<Integer> waiting = pool.submit(() -> call(EchoWorker.IGNORE));
    assertEquals(Frame.KIND_CALL, Patience.take(worker.frames()).kind());
    session.close();
    assertEquals(UNAVAILABLE, Patience.get(waiting));
    assertEquals(Frame.KIND_GOODBYE, Patience.take(worker.frames()).kind());
    session.close();
    assertEquals(UNAVAILABLE, echo(1));
  }

  @Test
  void closingDoesNotWaitForAPeerThatDoesNotRead() throws Exception {
    worker.pause();
    MemorySegment part = arena.allocate(64L << 20);
    Thread writer =
        Thread.ofPlatform()
            .start(
                () -> {
                  Request request = session.begin(TOY, EchoWorker.SUM, 0);
                  request.append(part.address(), part.byteSize());
                  assertEquals(UNAVAILABLE, request.send(Frame.FLAG_ANSWER));
                });
    worker.awaitUnread();
    Patience.join(Thread.ofPlatform().start(session::close));
    Patience.join(writer);
    worker.goOn();
  }

  @Test
  void anInterruptDoesNotLoseTheReply() {
    Thread.currentThread().interrupt();
    assertEquals(0, echo(3));
    assertTrue(Thread.interrupted());
  }

  @Test
  void aFunctionRunsAndTheBackendIsTold() throws Exception {
    long toupper = Linker.nativeLinker().defaultLookup().findOrThrow("toupper").address();
    long asked = session.keep(toupper, 'a', 0, false);
    int bytes = Frame.HEADER + 16;
    Request request = session.begin(TOY, EchoWorker.SAY, bytes + Frame.HEADER);
    Native.putInt(request.body() + Frame.LENGTH, bytes);
    Native.putByte(request.body() + Frame.KIND, (byte) Frame.KIND_CALLBACK);
    Native.putLong(request.body() + Frame.HEADER, asked);
    long reply = request.body() + bytes;
    Native.putInt(reply + Frame.LENGTH, Frame.HEADER);
    Native.putByte(reply + Frame.KIND, (byte) Frame.KIND_REPLY);
    Native.putInt(reply + Frame.THREAD, 1);
    Native.putLong(reply + Frame.SEQUENCE, 1);
    assertEquals(0, request.send(Frame.FLAG_ANSWER));
    EchoWorker.Received told = worker.frames().take();
    while (told.kind() != Frame.KIND_CALLBACK_DONE) {
      told = worker.frames().take();
    }
    assertEquals(8, told.bytes());
  }

  @Test
  void aFunctionIsAskedForWhileNobodyWaits() throws Exception {
    long toupper = Linker.nativeLinker().defaultLookup().findOrThrow("toupper").address();
    int bytes = Frame.HEADER + 16;
    for (int i = 1; i <= 20; i++) {
      long asked = session.keep(toupper, 'a', 0, false);
      Request request = session.begin(TOY, EchoWorker.SAY, Frame.HEADER + bytes);
      Native.putInt(request.body() + Frame.LENGTH, Frame.HEADER);
      Native.putByte(request.body() + Frame.KIND, (byte) Frame.KIND_REPLY);
      Native.putInt(request.body() + Frame.THREAD, 1);
      // Behind each call there is the word that its function has returned.
      Native.putLong(request.body() + Frame.SEQUENCE, 2L * i - 1);
      long after = request.body() + Frame.HEADER;
      Native.putInt(after + Frame.LENGTH, bytes);
      Native.putByte(after + Frame.KIND, (byte) Frame.KIND_CALLBACK);
      Native.putLong(after + Frame.HEADER, asked);
      assertEquals(0, request.send(Frame.FLAG_ANSWER));
      assertEquals(Frame.KIND_CALL, Patience.take(worker.frames()).kind());
      assertEquals(Frame.KIND_CALLBACK_DONE, Patience.take(worker.frames()).kind());
    }
  }

  /** Text is printed by whoever reads it. */
  @Test
  void aThreadThatWaitsReadsItsReplyItself() {
    int own = 0;
    for (int i = 0; i < 100; i++) {
      assertEquals(0, call(EchoWorker.PRINT));
      own += printer == Thread.currentThread() ? 1 : 0;
    }
    // The other thread is the quicker now and then, on a busy machine more often.
    assertTrue(own > 0, "it is read for");
  }

  @Test
  void aVirtualThreadIsReadFor() throws Exception {
    Thread thread = Thread.ofVirtual().start(() -> call(EchoWorker.PRINT));
    thread.join();
    assertEquals("outboard-reader", printer.getName());
  }

  /** A backend that a program reaches itself is given three times as long. */
  @Test
  void anotherHostThatIsSilentIsLostSoon() throws Exception {
    close(session, worker);
    session =
        connect(Endpoint.parse("tcp://127.0.0.1:0"), Map.of("OUTBOARD_TOKEN", token.digits()));
    Future<Integer> usual = pool.submit(() -> call(EchoWorker.IGNORE));
    Patience.take(worker.frames());
    int[] pair = new int[2];
    Errno.check(Sockets.socketpair(pair), "socketpair");
    Bytes proof = Bytes.random(Message.NONCE);
    Bytes none = Bytes.zero(Message.IDENTITY);
    Welcome welcome = new Welcome(Message.VERSION, none, none, proof, List.of());
    PrintStream unread = new PrintStream(printed, true, StandardCharsets.UTF_8);
    Reconnection never =
        _ -> {
          throw new IOException("it has no grace period");
        };
    try (Session far =
        Session.adopt("far", pair[0], 1, welcome, never, LIBRARIES, unread, unread)) {
      assertEquals(UNAVAILABLE, far.begin(TOY, EchoWorker.ECHO, 0).send(Frame.FLAG_ANSWER));
      assertEquals("the backend is silent", far.lostBecause().orElseThrow());
    }
    assertFalse(usual.isDone(), "it is no sooner");
    Posix.close(pair[1]);
  }

  @Test
  void hostileFramesEndTheSession() throws Exception {
    record Case(String says, int length, int kind, int thread, long sequence) {}
    List<Case> cases =
        List.of(
            new Case("length 0", 0, Frame.KIND_REPLY, 1, 1),
            new Case("length 44", 44, Frame.KIND_REPLY, 1, 1),
            new Case("length 4294967288", -8, Frame.KIND_REPLY, 1, 1),
            new Case("length 1114160", Frame.HEADER + Limits.BODY + 8, Frame.KIND_REPLY, 1, 1),
            new Case("nobody waits", Frame.HEADER, Frame.KIND_REPLY, 99, 1),
            new Case("nobody waits", Frame.HEADER, Frame.KIND_REPLY, 1, 2),
            new Case("nobody waits", Frame.HEADER, Frame.KIND_REPLY, 1, 0),
            new Case("kind 1", Frame.HEADER, Frame.KIND_CALL, 1, 1),
            new Case("a text is longer", Frame.HEADER, Frame.KIND_OUTPUT, 1, 1),
            new Case("a text is longer", Frame.HEADER, Frame.KIND_MESSAGE, 1, 1),
            new Case("in 0 bytes", Frame.HEADER, Frame.KIND_CALLBACK, 1, 1),
            new Case("that there is not", Frame.HEADER + 16, Frame.KIND_CALLBACK, 1, 1),
            new Case("kind -1", Frame.HEADER, 255, 1, 1));
    int number = 0;
    for (Case hostile : cases) {
      close(session, worker);
      session = connect(Endpoint.unix(folder.resolve("h" + number++).toString()), Map.of());
      Request request = session.begin(TOY, EchoWorker.SAY, Frame.HEADER + 16);
      Native.putInt(request.body() + Frame.LENGTH, hostile.length);
      Native.putByte(request.body() + Frame.KIND, (byte) hostile.kind);
      Native.putInt(request.body() + Frame.THREAD, hostile.thread);
      Native.putInt(request.body() + Frame.RESULT, hostile.thread);
      Native.putLong(request.body() + Frame.SEQUENCE, hostile.sequence);
      assertEquals(UNAVAILABLE, request.send(Frame.FLAG_ANSWER), hostile.says);
      String why = session.lostBecause().orElseThrow();
      assertTrue(why.startsWith("the backend broke the protocol: "), why);
      assertTrue(why.contains(hostile.says), why);
    }
  }

  /** A frame of a reply to the first call of the first thread. */
  private static byte[] partOfReply(int flags, long... words) {
    MemorySegment frame = MemorySegment.ofArray(new byte[Frame.HEADER + 8 * words.length]);
    frame.set(ValueLayout.JAVA_INT_UNALIGNED, Frame.LENGTH, (int) frame.byteSize());
    frame.set(ValueLayout.JAVA_BYTE, Frame.KIND, (byte) Frame.KIND_REPLY);
    frame.set(ValueLayout.JAVA_BYTE, Frame.FLAGS, (byte) flags);
    frame.set(ValueLayout.JAVA_INT_UNALIGNED, Frame.THREAD, 1);
    frame.set(ValueLayout.JAVA_LONG_UNALIGNED, Frame.SEQUENCE, 1);
    for (int i = 0; i < words.length; i++) {
      frame.set(ValueLayout.JAVA_LONG_UNALIGNED, Frame.HEADER + 8L * i, words[i]);
    }
    return frame.toArray(ValueLayout.JAVA_BYTE);
  }

  private static Request saying(Session session, byte[]... frames) {
    int bytes = Stream.of(frames).mapToInt(frame -> frame.length).sum();
    Request request = session.begin(TOY, EchoWorker.SAY, bytes);
    long at = request.body();
    for (byte[] frame : frames) {
      MemorySegment.copy(frame, 0, Native.MEMORY, ValueLayout.JAVA_BYTE, at, frame.length);
      at += frame.length;
    }
    return request;
  }

  @Test
  void aReplyMayComeInSeveralFrames() {
    Request request =
        saying(
            session,
            partOfReply(Frame.FLAG_MORE, 1, 2),
            partOfReply(Frame.FLAG_MORE, 3),
            partOfReply(0, 4));
    assertEquals(0, request.send(Frame.FLAG_ANSWER));
    assertEquals(32, request.replyBytes());
    for (int i = 0; i < 4; i++) {
      assertEquals(i + 1, Native.getLong(request.reply() + 8L * i));
    }
  }

  @Test
  void aReplyThatGoesOnWithoutBytesEndsTheSession() {
    Request request = saying(session, partOfReply(Frame.FLAG_MORE), partOfReply(0, 1));
    assertEquals(UNAVAILABLE, request.send(Frame.FLAG_ANSWER));
  }

  @Test
  void aMalformedReplyEndsTheSession() {
    Request request = session.begin(TOY, EchoWorker.ECHO, 8);
    assertEquals(0, request.send(Frame.FLAG_ANSWER));
    assertEquals(UNAVAILABLE, request.malformed());
    assertEquals(UNAVAILABLE, session.begin(TOY, EchoWorker.ECHO, 0).send(Frame.FLAG_ANSWER));
    String why = session.lostBecause().orElseThrow();
    assertTrue(why.startsWith("the backend broke the protocol: "), why);
  }

  /** The part has a place of exactly so many bytes. */
  @Test
  void aPartThatIsLongerOrShorterThanItsPlaceEndsTheSession() throws Exception {
    MemorySegment place = arena.allocate(24);
    int number = 0;
    for (long said : new long[] {15, 17, 24, -1, Long.MAX_VALUE, 0}) {
      close(session, worker);
      session = connect(Endpoint.unix(folder.resolve("p" + number++).toString()), Map.of());
      Request request = saying(session, partOfReply(0, said, 7, 7));
      int unused = request.ask(0, place.address(), 16);
      assertEquals(UNAVAILABLE, session.settle(0), "said " + said);
      assertEquals(0, place.get(ValueLayout.JAVA_LONG, 16));
    }
  }

  @Test
  void noiseNeverHangsACaller() throws Exception {
    Random random = new Random(7);
    for (int i = 0; i < 100; i++) {
      close(session, worker);
      session = connect(Endpoint.unix(folder.resolve("n" + i).toString()), Map.of());
      byte[] noise = noise(random);
      Request request = session.begin(TOY, EchoWorker.SAY_AND_DIE, noise.length);
      MemorySegment.copy(
          noise, 0, Native.MEMORY, ValueLayout.JAVA_BYTE, request.body(), noise.length);
      assertEquals(UNAVAILABLE, request.send(Frame.FLAG_ANSWER));
    }
  }

  /** Frames whose lengths are mostly right and whose other fields are mostly plausible. */
  private static byte[] noise(Random random) {
    int frames = 1 + random.nextInt(4);
    ByteBuffer noise = ByteBuffer.allocate(frames * 64).order(ByteOrder.LITTLE_ENDIAN);
    random.ints(frames * 16L).forEach(noise::putInt);
    for (int at = 0; at < noise.capacity(); at += 64) {
      if (random.nextInt(4) > 0) {
        noise.putInt(at + Frame.LENGTH, 64);
        noise.put(at + Frame.KIND, (byte) random.nextInt(12));
        noise.putInt(at + Frame.THREAD, random.nextInt(3));
        noise.putLong(at + Frame.SEQUENCE, 2 + random.nextInt(3));
      }
    }
    return noise.array();
  }

  @Test
  void tcpNeedsTheToken() throws Exception {
    Endpoint any = Endpoint.parse("tcp://127.0.0.1:0");
    close(session, worker);
    session = connect(any, Map.of("OUTBOARD_TOKEN", token.digits()));
    assertEquals(0, echo(5));
    assertFalse(session.welcome().proof().isZero());
    close(session, worker);
    Map<String, String> wrong = Map.of("OUTBOARD_TOKEN", Token.random().digits());
    var error = assertThrows(RefusedException.class, () -> connect(any, wrong));
    assertTrue(error.getMessage().startsWith("the token is not this backend's; OUTBOARD_TOKEN"));
    worker.stop();
    assertThrows(IOException.class, () -> connect(any, Map.of("HOME", folder.toString())));
  }

  @Test
  void silenceOverTcpIsALossForWhoWaits() throws Exception {
    close(session, worker);
    Endpoint any = Endpoint.parse("tcp://127.0.0.1:0");
    int roundMs = Math.toIntExact(Patience.of(Duration.ofMillis(200)).toMillis());
    session = connect(any, Map.of("OUTBOARD_TOKEN", token.digits()), roundMs);
    assertEquals(0, echo(5));
    // Longer than a wait may be, but nobody waits.
    Thread.sleep(4L * roundMs);
    assertEquals(0, echo(6));
    assertEquals(UNAVAILABLE, call(EchoWorker.IGNORE));
    assertEquals("the backend is silent", session.lostBecause().orElseThrow());
  }

  @Test
  void aBackendOverTcpThatProvesNothingIsNotTrusted() throws Exception {
    Endpoint any = Endpoint.parse("tcp://127.0.0.1:0");
    try (Listener listener = Communicator.of(any).listen(any, Listening.PLAIN)) {
      Future<Long> unused =
          pool.submit(
              () -> {
                int client = listener.accept();
                // As if the transport vouched for the client: no challenge, and so no proof.
                GreetingServer.receive(client, _ -> Claim.vouched(new Peer.Operator()), 10_000);
                byte[] welcome = EchoWorker.welcome(Bytes.zero(Message.NONCE));
                MemorySegment bytes = arena.allocateFrom(ValueLayout.JAVA_BYTE, welcome);
                return Posix.write(client, bytes.address(), welcome.length);
              });
      Map<String, String> environment = Map.of("OUTBOARD_TOKEN", token.digits());
      var error =
          assertThrows(
              IOException.class,
              () -> Session.open(listener.endpoint(), LIBRARIES, System.out, environment));
      assertEquals("the backend did not prove that it has the token", error.getMessage());
    }
  }

  private static void close(Session session, EchoWorker worker) throws Exception {
    session.close();
    worker.stop();
  }

  @Test
  void nobodyThereIsAnError() {
    Endpoint nobody = Endpoint.unix(folder.resolve("nobody").toString());
    assertThrows(IOException.class, () -> Session.open(nobody, LIBRARIES));
  }
}
