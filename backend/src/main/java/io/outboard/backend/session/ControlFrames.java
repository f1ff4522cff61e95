// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.session;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.outboard.backend.library.DeviceException;
import io.outboard.backend.library.WorkerLibraries;
import io.outboard.wire.Frame;
import io.outboard.wire.Hello;
import io.outboard.wire.Native;
import io.outboard.wire.ProtocolException;
import io.outboard.wire.Region;
import io.outboard.wire.Welcome;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;

/** Does what frames say that are no calls. One thread at a time does, the leader. */
final class ControlFrames {
  private static final int LIBRARY_MISSING = 1;

  private static final int RING_MISSING = 1;

  /** Longer than posted calls take; a device that hangs does not keep a program from its end. */
  private static final long LOG_NS = TimeUnit.SECONDS.toNanos(2);

  private final Connection connection;
  private final ClientCallbacks callbacks;
  private final CallTrace trace;
  private final ClientContext context;
  private final Lanes lanes;
  private final CallGate gate;
  private final Payloads payloads;
  private final Rings rings;
  private final LongPredicate ringOpener;
  private WorkerLibraries libraries = new WorkerLibraries();
  private volatile LongConsumer bulkLost = _ -> {};

  ControlFrames(
      Connection connection,
      ClientCallbacks callbacks,
      CallTrace trace,
      ClientContext context,
      Lanes lanes,
      CallGate gate,
      Payloads payloads,
      Rings rings,
      LongPredicate ringOpener) {
    this.connection = connection;
    this.callbacks = callbacks;
    this.trace = trace;
    this.context = context;
    this.lanes = lanes;
    this.gate = gate;
    this.payloads = payloads;
    this.rings = rings;
    this.ringOpener = ringOpener;
  }

  /** Opens further libraries among these; before the first frame. */
  void serve(WorkerLibraries served) {
    libraries = served;
  }

  void onBulkLoss(LongConsumer listener) {
    bulkLost = listener;
  }

  /** Takes down what has to be known before another thread reads the next frame. */
  void read(long frame) {
    int kind = Native.getByte(frame + Frame.KIND);
    requireBody(kind, Native.getInt(frame + Frame.LENGTH) - Frame.HEADER);
    long sequence = Native.getLong(frame + Frame.SEQUENCE);
    if (kind == Frame.KIND_RING && Native.getLong(frame + Frame.HEADER) != Region.FUNCTIONS) {
      rings.begins(sequence);
    }
    if (kind == Frame.KIND_THREAD_END) {
      int thread = Native.getInt(frame + Frame.THREAD);
      payloads.drop(thread);
      rings.ends(thread, sequence);
    }
    rings.reads(sequence);
  }

  /** Does what a frame says that has been read; returns false if the client said goodbye. */
  boolean obey(CallFrame call, long frame) throws IOException {
    int kind = Native.getByte(frame + Frame.KIND);
    switch (kind) {
      case Frame.KIND_PING -> connection.send(Frame.KIND_PONG, new byte[0]);
      case Frame.KIND_PONG -> {}
      case Frame.KIND_TRACE -> trace(call, frame);
      case Frame.KIND_LOG -> log(call, frame);
      case Frame.KIND_LIBRARY -> openLibrary(call, frame);
      case Frame.KIND_CALLBACK_DONE -> callbacks.done(frame);
      case Frame.KIND_BULK_LOST -> bulkLost.accept(Native.getLong(frame + Frame.HEADER));
      case Frame.KIND_RING -> openRing(call, frame);
      case Frame.KIND_THREAD_END -> threadEnded(frame);
      case Frame.KIND_GOODBYE -> {
        return false;
      }
      default -> throw new ProtocolException("a frame of kind " + kind);
    }
    return true;
  }

  /** A call that was damaged into such a frame would be waited for in vain. */
  private static void requireBody(int kind, int bytes) {
    boolean has = kind == Frame.KIND_LIBRARY || kind == Frame.KIND_CALLBACK_DONE;
    int fixed = kind == Frame.KIND_BULK_LOST || kind == Frame.KIND_RING ? Long.BYTES : 0;
    if (bytes != fixed && !has) {
      throw new ProtocolException("a frame of kind " + kind + " with " + bytes + " bytes");
    }
  }

  /** Answers with this side's time, so that the client can compare clocks. */
  private void trace(CallFrame call, long frame) throws IOException {
    trace.start();
    trace.flush();
    call.take(frame);
    Native.putLong(call.answer(Long.BYTES), System.nanoTime());
    call.reply(0);
  }

  /** Sends what the log has, with the calls that lanes have not issued yet. */
  private void log(CallFrame call, long frame) throws IOException {
    try {
      lanes.awaitIssued(LOG_NS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    context.flushLog();
    call.take(frame);
    call.reply(0);
  }

  private void openLibrary(CallFrame call, long frame) throws IOException {
    call.take(frame);
    byte[] body = Native.MEMORY.asSlice(call.body(), call.bodyBytes()).toArray(JAVA_BYTE);
    Welcome.Library offered = open(Hello.Library.decode(body));
    if (offered == null) {
      call.reply(LIBRARY_MISSING);
      return;
    }
    byte[] entry = offered.encode();
    MemorySegment.copy(entry, 0, Native.MEMORY, JAVA_BYTE, call.answer(entry.length), entry.length);
    call.reply(0);
  }

  private Welcome.Library open(Hello.Library asked) {
    gate.enter(0);
    try {
      return libraries.open(asked, context);
    } catch (DeviceException e) {
      context.message(e.getMessage());
      return null;
    } finally {
      gate.leave(0);
    }
  }

  private void openRing(CallFrame call, long frame) throws IOException {
    call.take(frame);
    call.reply(ringOpener.test(Native.getLong(call.body())) ? 0 : RING_MISSING);
  }

  /** A thread of the client has ended; what it sent over a ring of its own is issued first. */
  private void threadEnded(long frame) {
    int thread = Native.getInt(frame + Frame.THREAD);
    long lastCall = rings.named(frame);
    long sequence = Native.getLong(frame + Frame.SEQUENCE);
    rings.end(thread, sequence, lastCall, () -> libraries.threadEnded(thread));
  }
}
