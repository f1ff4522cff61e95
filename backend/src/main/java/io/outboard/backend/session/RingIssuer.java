// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.session;

import io.outboard.wire.Frame;
import io.outboard.wire.Native;
import io.outboard.wire.ProtocolException;
import java.io.IOException;
import java.util.function.BooleanSupplier;

/** Issues the calls of a ring that one thread of the client has to itself, and answers there. */
final class RingIssuer {
  private final Connection connection;
  private final Rings.Progress progress;
  private final CallFrame call;
  private final Calls calls;
  private final Payloads payloads;

  /** What a session does with a call. */
  interface Calls {
    /** One that has been read. */
    void prepare(CallFrame call);

    void run(CallFrame call) throws IOException;
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
  }

  /** Reads and issues until the session is over. */
  void issue(BooleanSupplier over) throws IOException {
    while (!over.getAsBoolean()) {
      progress.past(connection.taken());
      long frame = connection.next();
      switch (Native.getByte(frame + Frame.KIND)) {
        case Frame.KIND_CALL -> issue(frame);
        case Frame.KIND_PAYLOAD -> payloads.add(frame);
        default -> throw new ProtocolException("a frame of its kind in a thread's own ring");
      }
    }
  }

  private void issue(long frame) throws IOException {
    call.take(frame);
    Rings.reads(call, connection);
    calls.prepare(call);
    calls.run(call);
    call.clear();
  }

  void shutdown() {
    connection.shutdown();
  }

  void close() {
    call.free();
    connection.close();
  }
}
