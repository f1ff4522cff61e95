// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.session;

import io.outboard.wire.Frame;
import io.outboard.wire.Limits;
import io.outboard.wire.Native;
import io.outboard.wire.ProtocolException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** The payloads that have come, or are coming, by client thread. */
final class Payloads {
  /** Most bytes of payloads in memory: one being used while the next one comes. */
  private static final long MOST = 2 * Limits.PAYLOAD;

  private final Map<Integer, Payload> byThread = new HashMap<>();
  private final AtomicLong held = new AtomicLong();

  /** Adds the bytes of a payload's frame. */
  synchronized void add(long frame) {
    int body = Native.getInt(frame + Frame.LENGTH) - Frame.HEADER;
    int bytes = Native.getInt(frame + Frame.RESULT);
    int thread = Native.getInt(frame + Frame.THREAD);
    if (bytes < 0 || Frame.align(bytes) != body || thread < 0 || thread >= Limits.THREADS) {
      throw new ProtocolException(
          "a payload's frame of " + bytes + " bytes in " + body + ", thread " + thread);
    }
    if (held.addAndGet(bytes) > MOST) {
      throw new ProtocolException("payloads of more than " + MOST + " bytes");
    }
    byThread
        .computeIfAbsent(thread, _ -> new Payload(gone -> held.addAndGet(-gone)))
        .add(frame + Frame.HEADER, bytes);
  }

  /** Takes a thread's payload, for its call. */
  synchronized Payload take(int thread) {
    Payload payload = byThread.remove(thread);
    if (payload == null) {
      throw new ProtocolException("a call without its payload");
    }
    return payload;
  }

  /** Drops what a thread sent ahead of a call that it will not make. */
  synchronized void drop(int thread) {
    Payload payload = byThread.remove(thread);
    if (payload != null) {
      payload.close();
    }
  }
}
