// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.code;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.code.Everything.FirstException;
import io.outboard.backend.code.Everything.Whole;
import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.Sockets;
import io.outboard.communicator.stream.SocketStream;
import io.outboard.offload.OffloadException;
import io.outboard.offload.call.Choice;
import io.outboard.offload.call.OffloadMethod;
import io.outboard.offload.client.Offloading;
import io.outboard.offload.frame.OffloadFrame;
import io.outboard.patience.Patience;
import io.outboard.testkit.Amount;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Sessions of code over TCP, with the client for Java 17. */
final class CodeSessionTest {
  private static final long SEED = 59;
  private static final int SECONDS = 600;

  private final EverythingHere here = new EverythingHere();
  // Threads of sessions that are over may still write there, so that it stays.
  private CallsPage calls;
  private CodeServer server;
  private Offloading backend;
  private EverythingRemote remote;

  @BeforeEach
  void start() throws IOException {
    start(SECONDS);
  }

  private void start(int seconds) throws IOException {
    calls = CallsPage.create();
    server = new CodeServer(new EverythingDispatcher(here), seconds);
    backend = server.client().build();
    remote = EverythingRemote.of(backend);
  }

  @AfterEach
  void end() throws IOException {
    backend.close();
    server.close();
  }

  @Test
  void valuesAndExceptionsArrive() {
    Whole whole = new SomeValues(SEED).whole();
    SomeValues.assertSame(whole, remote.same(whole));
    assertEquals("no", assertThrows(FirstException.class, () -> remote.fail("no", 0)).getMessage());
    OffloadException undeclared =
        assertThrows(OffloadException.class, () -> remote.fail("oops", 2));
    assertEquals(OffloadException.Kind.FAILED, undeclared.kind());
    assertTrue(undeclared.getMessage().contains("oops"), undeclared::getMessage);
    // A thread whose stack is over has not ended its session.
    assertEquals(
        OffloadException.Kind.FAILED,
        assertThrows(OffloadException.class, () -> remote.fail("", 4)).kind());
    assertEquals(1, remote.count());
  }

  @Test
  void howManyCallsRunIsTold() throws Exception {
    server.others(5);
    Queue<List<Integer>> told = new ConcurrentLinkedQueue<>();
    Choice choice =
        new Choice() {
          @Override
          public boolean isRemote(OffloadMethod<?> method, long size) {
            return true;
          }

          @Override
          public void load(int running, int processors) {
            told.add(List.of(running, processors));
          }
        };
    Offloading.Builder to = server.client().choice(choice).heartbeat(Duration.ofMillis(20));
    try (Offloading curious = to.build()) {
      assertEquals(1, EverythingRemote.of(curious).count());
      // With the answer, and then for a while without a call.
      Patience.until("it is told", () -> told.size() >= 3);
      assertEquals(
          Set.of(List.of(5, Runtime.getRuntime().availableProcessors())), Set.copyOf(told));
    }
  }

  @Test
  void manyCallsAreUnderWay() throws Exception {
    List<CompletableFuture<Integer>> calls = new ArrayList<>();
    for (int i = 0; i < 10 * CodeSession.CALLS; i++) {
      calls.add(remote.countAsync());
    }
    int sum = 0;
    for (CompletableFuture<Integer> one : calls) {
      sum += one.get();
    }
    assertEquals(calls.size() * (calls.size() + 1) / 2, sum);
  }

  @Test
  void asynchronousCallsFailAsTheOthers() {
    ExecutionException declared =
        assertThrows(ExecutionException.class, () -> remote.failAsync("no", 0).get());
    assertInstanceOf(FirstException.class, declared.getCause());
  }

  @Test
  void aCallIsCancelled() throws Exception {
    CompletableFuture<Void> call = remote.awaitAsync();
    assertEquals(1, remote.count());
    assertTrue(call.cancel(true));
    // The place of the call is free again once its thread has ended it.
    for (int i = 0; i < CodeSession.CALLS; i++) {
      assertTrue(remote.awaitAsync().cancel(true));
    }
    assertEquals(2, remote.count());
  }

  @Test
  void anInterruptCancelsTheCall() throws Exception {
    CompletableFuture<OffloadException.Kind> seen = new CompletableFuture<>();
    CountDownLatch begun = new CountDownLatch(1);
    Thread caller =
        Thread.ofPlatform()
            .start(
                () -> {
                  begun.countDown();
                  seen.complete(assertThrows(OffloadException.class, () -> remote.await()).kind());
                });
    begun.await();
    caller.interrupt();
    assertEquals(OffloadException.Kind.CANCELLED, seen.get());
  }

  @Test
  void aLostLinkIsAnErrorAndTheCallIsNotRepeated() throws Exception {
    assertEquals(1, remote.count());
    CompletableFuture<Void> waiting = remote.awaitAsync();
    server.cut();
    ExecutionException lost = assertThrows(ExecutionException.class, waiting::get);
    assertEquals(
        OffloadException.Kind.LOST,
        assertInstanceOf(OffloadException.class, lost.getCause()).kind());
    assertEquals(1, here.counted());
    // The next call goes over another connection.
    assertEquals(2, remote.count());
  }

  @Test
  void whereTheBackendIsSilentTheCallRunsHere() {
    server.fallSilent();
    try (Offloading silent = server.client().heartbeat(Duration.ofMillis(100)).build()) {
      Everything chosen = EverythingChooser.of(silent, here);
      Whole whole = new SomeValues(SEED).whole();
      assertEquals(whole, chosen.same(whole));
      OffloadException lost = assertThrows(OffloadException.class, chosen::count);
      assertEquals(OffloadException.Kind.LOST, lost.kind());
      assertTrue(lost.getMessage().contains("silent"), lost::getMessage);
    }
    assertEquals(0, here.counted());
  }

  @Test
  void aCallThatTakesTooLongEnds() throws Exception {
    end();
    start(1);
    OffloadException late = assertThrows(OffloadException.class, () -> remote.await());
    assertEquals(OffloadException.Kind.CANCELLED, late.kind());
    assertEquals(1, remote.count());
  }

  @Test
  void aSessionThatIsSpoiltEndsAfterACallThatHasFailed() throws Exception {
    server.spoil("its GPU is gone");
    assertEquals(1, remote.count());
    OffloadException failed = assertThrows(OffloadException.class, () -> remote.fail("", 2));
    assertEquals(OffloadException.Kind.FAILED, failed.kind());
    Patience.until("the session's end", () -> server.ends().contains("its GPU is gone"));
  }

  @Test
  void whereNobodyIsNothingBegins() throws Exception {
    server.close();
    assertEquals(
        OffloadException.Kind.NOT_BEGUN,
        assertThrows(OffloadException.class, remote::count).kind());
    assertEquals(0, here.counted());
  }

  @Test
  void anotherTokenIsRefused() {
    try (Offloading stranger = server.client().token("0".repeat(64)).build()) {
      OffloadException refused =
          assertThrows(OffloadException.class, () -> EverythingRemote.of(stranger).count());
      assertEquals(OffloadException.Kind.NOT_BEGUN, refused.kind());
      assertTrue(refused.getMessage().contains("token"), refused::getMessage);
    }
  }

  /** A session ends at a damaged frame, or goes on: it never hangs, and nothing else fails. */
  @Test
  void damagedFramesEndTheSession() throws Exception {
    Random random = new Random(SEED);
    Loopback loopback = new Loopback(new EverythingDispatcher(here));
    Whole unused = EverythingRemote.of(loopback).same(new SomeValues(SEED).whole());
    byte[] body = loopback.lastArguments();
    byte[] frame = new byte[OffloadFrame.HEAD + body.length];
    new OffloadFrame(body.length, OffloadFrame.CALL, 0, 1).write(frame);
    System.arraycopy(body, 0, frame, OffloadFrame.HEAD, body.length);
    int broken = 0;
    int amount = Amount.of(300, 1_000);
    for (int i = 0; i < amount; i++) {
      byte[] damaged = frame.clone();
      for (int n = random.nextInt(3); n >= 0; n--) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
      }
      if (random.nextBoolean()) {
        damaged[random.nextInt(OffloadFrame.HEAD)] = (byte) random.nextInt();
      }
      broken += serve(damaged).isEmpty() ? 0 : 1;
    }
    assertTrue(broken > amount / 10 && broken < amount, "broken: " + broken);
  }

  private String serve(byte[] bytes) throws Exception {
    int[] pair = new int[2];
    Errno.check(Sockets.socketpair(pair), "socketpair");
    CodeSession session =
        new CodeSession(
            new SocketStream(pair[0]),
            new EverythingDispatcher(here),
            calls,
            SECONDS,
            Optional::empty);
    CompletableFuture<String> end = new CompletableFuture<>();
    Thread.ofPlatform()
        .daemon(true)
        .start(
            () -> {
              try {
                end.complete(session.serve());
              } catch (InterruptedException e) {
                end.completeExceptionally(e);
              }
            });
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment all = arena.allocate(bytes.length);
      all.copyFrom(MemorySegment.ofArray(bytes));
      int written = Posix.writeAll(pair[1], all.address(), bytes.length);
      assertTrue(written == 0 || written == -Errno.EPIPE, () -> "written: " + written);
      Sockets.shutdown(pair[1], Sockets.SHUT_WR);
      return end.get(Patience.LIMIT.toMillis(), java.util.concurrent.TimeUnit.MILLISECONDS);
    } finally {
      Posix.close(pair[1]);
    }
  }
}
