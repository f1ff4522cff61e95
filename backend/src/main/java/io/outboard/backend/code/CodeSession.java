// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.code;

import io.outboard.backend.system.Log;
import io.outboard.backend.system.Pause;
import io.outboard.communicator.stream.ByteStream;
import io.outboard.offload.frame.OffloadFrame;
import io.outboard.offload.service.Dispatcher;
import io.outboard.offload.value.MalformedValueException;
import io.outboard.offload.value.ValueReader;
import io.outboard.offload.value.ValueWriter;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;

/**
 * The calls of one client. The thread that reads a call also runs it, since a hand-over costs more
 * than most calls; another thread reads on. There is one thread more than calls at a time, so that
 * somebody always reads. The session ends with its connection, and with the first frame that breaks
 * a rule.
 */
final class CodeSession {
  /** The most calls that may be under way. */
  static final int CALLS = 16;

  private static final int GRACE_SECONDS = 5;
  private static final int LOOK_MS = 250;

  private final ByteStream stream;
  private final FrameInput input;
  private final FrameOutput output;
  private final Dispatcher dispatcher;
  private final CallsPage calls;
  private final int callSeconds;
  private final Supplier<Optional<String>> spoilt;
  private final Object reading = new Object();
  private final CountDownLatch ended = new CountDownLatch(1);
  // These are guarded by this object's monitor.
  private final Map<Long, RunningCall> running = new HashMap<>();
  private int threads;
  private String why = "";

  /**
   * Serves a client.
   *
   * @param calls says how many run, here and elsewhere
   * @param callSeconds for how long a call may run
   * @param spoilt asked after a call that has failed: why no further one can be served
   */
  CodeSession(
      ByteStream stream,
      Dispatcher dispatcher,
      CallsPage calls,
      int callSeconds,
      Supplier<Optional<String>> spoilt) {
    this.spoilt = spoilt;
    this.stream = stream;
    this.input = new FrameInput(stream);
    this.output = new FrameOutput(stream);
    this.dispatcher = dispatcher;
    this.calls = calls;
    this.callSeconds = callSeconds;
  }

  /**
   * Serves until it ends. Calls that run then go on: their process is to end.
   *
   * @return why it has ended; empty where the client has gone
   */
  String serve() throws InterruptedException {
    follow();
    Thread.ofPlatform().name("time-limit").daemon(true).start(this::watch);
    ended.await();
    synchronized (this) {
      return why;
    }
  }

  /** One more thread that reads, unless there are enough. */
  private synchronized void follow() {
    if (threads <= CALLS) {
      threads++;
      Thread.ofPlatform().name("offloaded-" + threads).daemon(true).start(this::lead);
    }
  }

  private void lead() {
    try {
      for (; ; ) {
        FrameInput.Read frame = next();
        run(frame);
        input.giveBack(frame);
      }
    } catch (IOException e) {
      end("");
    } catch (MalformedValueException e) {
      end("the client breaks the protocol: " + e.getMessage());
    } catch (RuntimeException | Error e) {
      // No memory, say: nobody knows what the code has left undone.
      end(e.toString());
    }
  }

  private FrameInput.Read next() throws IOException {
    synchronized (reading) {
      for (; ; ) {
        FrameInput.Read frame = input.next();
        switch (frame.head().kind()) {
          case OffloadFrame.CALL -> {
            expectRoom(frame.head());
            return frame;
          }
          case OffloadFrame.CANCEL -> cancel(frame.head().call());
          case OffloadFrame.PING -> answerPing();
          default -> throw new MalformedValueException("a frame of kind " + frame.head().kind());
        }
      }
    }
  }

  /** The call is this thread's, and somebody else is to read on. */
  private void expectRoom(OffloadFrame head) {
    synchronized (this) {
      if (running.size() == CALLS) {
        throw new MalformedValueException("more than %d calls at a time".formatted(CALLS));
      }
      if (running.putIfAbsent(head.call(), new RunningCall(head.call(), callSeconds)) != null) {
        throw new MalformedValueException("two calls of a number");
      }
      calls.own(running.size());
      if (running.size() == threads) {
        follow();
      }
    }
  }

  private void run(FrameInput.Read frame) throws IOException {
    OffloadFrame head = frame.head();
    ValueWriter out = new ValueWriter(OffloadFrame.HEAD, OffloadFrame.MOST);
    ValueReader in = new ValueReader(frame.body(), 0, head.length());
    int kind;
    int number = 0;
    try {
      int result = dispatcher.call(head.method(), in, out);
      kind = kind(result, head.call());
      number =
          switch (kind) {
            case OffloadFrame.THROWN -> result;
            case OffloadFrame.FAILED -> OffloadFrame.CANCELLED;
            default -> 0;
          };
    } catch (MalformedValueException e) {
      throw e;
    } catch (Exception | LinkageError | StackOverflowError | AssertionError e) {
      kind = OffloadFrame.FAILED;
      number = reason(head.call());
      out.clear();
      out.of(text(e), Dispatcher.TEXT);
    }
    over(head.call());
    number = kind == OffloadFrame.RESULT ? load() : number;
    new OffloadFrame(out.length(), kind, number, head.call()).write(out.head());
    output.write(out);
    if (kind != OffloadFrame.RESULT) {
      spoilt.get().ifPresent(this::end);
    }
  }

  /** A call that was cancelled may well throw that it was interrupted. */
  private int kind(int result, long call) {
    if (result == Dispatcher.RETURNED) {
      return OffloadFrame.RESULT;
    }
    return reason(call) == OffloadFrame.CANCELLED ? OffloadFrame.FAILED : OffloadFrame.THROWN;
  }

  /** Its class is told as text, and nothing else of it travels. */
  private static String text(Throwable thrown) {
    return Dispatcher.bounded(String.valueOf(thrown));
  }

  private synchronized int reason(long call) {
    return Optional.ofNullable(running.get(call))
        .map(RunningCall::reason)
        .orElse(OffloadFrame.UNDECLARED);
  }

  /** From here on nobody interrupts its thread. */
  private synchronized void over(long call) {
    running.remove(call);
    calls.own(running.size());
    boolean unused = Thread.interrupted();
  }

  private synchronized void cancel(long call) {
    Optional.ofNullable(running.get(call)).ifPresent(one -> one.cancel(GRACE_SECONDS));
  }

  /** How many calls run now, of all clients. */
  private synchronized int load() {
    return running.size() + calls.others();
  }

  private void answerPing() throws IOException {
    ValueWriter frame = new ValueWriter(OffloadFrame.HEAD, 0);
    int processors = Runtime.getRuntime().availableProcessors();
    new OffloadFrame(0, OffloadFrame.PONG, load(), processors).write(frame.head());
    output.write(frame);
  }

  /** A call that takes too long is told to end, and the session ends with one that does not. */
  private void watch() {
    while (ended.getCount() > 0) {
      Pause.ms(LOOK_MS);
      late().ifPresent(this::tooLate);
    }
  }

  private synchronized Optional<RunningCall> late() {
    return running.values().stream().filter(RunningCall::isLate).findFirst();
  }

  private synchronized void tooLate(RunningCall call) {
    if (call.isCancelled()) {
      end(call.text());
    } else {
      Log.info(call.text());
      call.cancel(GRACE_SECONDS);
    }
  }

  private void end(String reason) {
    synchronized (this) {
      if (ended.getCount() > 0) {
        why = reason;
      }
    }
    stream.shutdown();
    ended.countDown();
  }
}
