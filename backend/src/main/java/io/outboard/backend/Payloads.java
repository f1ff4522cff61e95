// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import io.outboard.wire.Frame;
import io.outboard.wire.Limits;
import io.outboard.wire.Native;
import io.outboard.wire.ProtocolException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;

/** The bytes that came ahead of calls, by client thread. The reader's own. */
final class Payloads {
  private final Map<Integer, Payload> byThread = new HashMap<>();

  /** One payload; its memory goes when it is closed. */
  static final class Payload implements AutoCloseable {
    private Arena arena = Arena.ofShared();
    private MemorySegment memory = arena.allocate(Limits.CHUNK, 64);
    private long bytes;

    long address() {
      return memory.address();
    }

    long bytes() {
      return bytes;
    }

    private void add(long from, int count) {
      if (bytes + count > Limits.PAYLOAD) {
        throw new ProtocolException("a payload of more than " + Limits.PAYLOAD + " bytes");
      }
      if (bytes + count > memory.byteSize()) {
        grow(bytes + count);
      }
      Native.copy(from, memory.address() + bytes, count);
      bytes += count;
    }

    private void grow(long least) {
      Arena larger = Arena.ofShared();
      MemorySegment moved = larger.allocate(Math.max(least, 2 * memory.byteSize()), 64);
      Native.copy(memory.address(), moved.address(), bytes);
      arena.close();
      arena = larger;
      memory = moved;
    }

    @Override
    public void close() {
      arena.close();
    }
  }

  /** Adds the bytes of a payload's frame. */
  void add(long frame) {
    int body = Native.getInt(frame + Frame.LENGTH) - Frame.HEADER;
    int bytes = Native.getInt(frame + Frame.RESULT);
    if (bytes < 0 || bytes > body) {
      throw new ProtocolException("a payload's frame of " + bytes + " bytes in " + body);
    }
    byThread
        .computeIfAbsent(Native.getInt(frame + Frame.THREAD), unused -> new Payload())
        .add(frame + Frame.HEADER, bytes);
  }

  /** Takes a thread's payload, or null. */
  Payload take(int thread) {
    return byThread.remove(thread);
  }
}
