// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.session;

import io.outboard.wire.Frame;
import io.outboard.wire.Native;
import io.outboard.wire.ProtocolException;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

/**
 * Issues the calls of a ring or connection that one thread of the client has to itself, and answers
 * there.
 */
final class RingIssuer {
  private final Connection connection;
  private final Rings.Progress progress;
  private final CallFrame call;
  private final Calls calls;
  private final Payloads payloads;
  // Where the client cannot see from its connection that this side works on.
  private Optional<Heartbeat> heartbeat = Optional.empty();
  private final AtomicInteger unanswered = new AtomicInteger();

  /** What a session does with a call. */
  interface Calls {
    /** One that has been read. */
    void prepare(CallFrame call, Connection from);

    void run(CallFrame call) throws IOException;

    /** Something has come ahead of a call of this number. */
    void comes(long sequence);
  }

  RingIssuer(
      Connection connection,
      Rings.Progress progress,
      CallFrame call,
      Calls calls,
      Payloads payloads) {
    this.connection = connection;
    this.progress = progress;
    this.call = call;
    this.calls = calls;
    this.payloads = payloads;
    call.ring = progress;
    call.unanswered = unanswered;
  }

  /** Reads and issues until the session is over. */
  void issue(BooleanSupplier over) throws IOException {
    while (!over.getAsBoolean()) {
      progress.past(connection.taken());
      long frame = connection.next();
      switch (Native.getByte(frame + Frame.KIND)) {
        case Frame.KIND_CALL -> issue(frame);
        case Frame.KIND_PAYLOAD -> {
          payloads.add(frame);
          calls.comes(Native.getLong(frame + Frame.SEQUENCE));
        }
        case Frame.KIND_PONG -> pong(frame);
        default -> throw new ProtocolException("a frame of its kind in a thread's own ring");
      }
    }
  }

  private void issue(long frame) throws IOException {
    call.take(frame);
    if (connection.isBeside()) {
      call.fence = CallFrame.behind(frame);
    }
    calls.prepare(call, connection);
    calls.run(call);
    call.clear();
  }

  /** It tells what the client has, if anything. */
  private void pong(long frame) {
    if (!connection.isBeside() || Native.getInt(frame + Frame.LENGTH) != Frame.HEADER) {
      throw new ProtocolException("a frame of its kind in a thread's own ring");
    }
    calls.comes(Native.getLong(frame + Frame.SEQUENCE));
  }

  /** Whether the client waits for an answer. */
  boolean isAwaited() {
    return unanswered.get() > 0;
  }

  /** Tells the client so often that this side works on, where it waits. */
  void beat(IntSupplier away, long periodMs) {
    heartbeat = Optional.of(new Heartbeat(connection, this::isAwaited, away, periodMs));
    heartbeat.get().start();
  }

  void shutdown() {
    connection.shutdown();
    heartbeat.ifPresent(Heartbeat::close);
  }

  /** Waits for its own threads' end. */
  void await() throws InterruptedException {
    if (heartbeat.isPresent()) {
      heartbeat.get().await();
    }
  }

  void close() {
    call.free();
    connection.close();
  }
}
