// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.session;

import io.outboard.backend.system.NativeBuffer;
import io.outboard.wire.Limits;
import io.outboard.wire.Native;
import io.outboard.wire.ProtocolException;
import java.util.function.LongConsumer;

/** Bytes that came ahead of a call; its memory goes when it is closed. */
final class Payload implements AutoCloseable {
  private final NativeBuffer buffer = new NativeBuffer(Limits.CHUNK);
  private final LongConsumer freed;
  private long bytes;

  /** {@code freed} is told how many bytes there were once they are gone. */
  Payload(LongConsumer freed) {
    this.freed = freed;
  }

  long address() {
    return buffer.address();
  }

  long bytes() {
    return bytes;
  }

  void add(long from, int count) {
    if (bytes + count > Limits.PAYLOAD) {
      throw new ProtocolException("a payload of more than " + Limits.PAYLOAD + " bytes");
    }
    buffer.grow(bytes + count, bytes);
    Native.copy(from, buffer.address() + bytes, count);
    bytes += count;
  }

  @Override
  public void close() {
    buffer.close();
    freed.accept(bytes);
  }
}
