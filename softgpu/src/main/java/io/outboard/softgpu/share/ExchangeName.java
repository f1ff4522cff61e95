// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.share;

import io.outboard.wire.Bytes;
import io.outboard.wire.Native;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The 64 bytes by which a program names something to another one, memory or an event ({@code
 * CUipcMemHandle}, {@code CUipcEventHandle}) say: a mark, the process that has it, and a key that
 * nobody can guess.
 *
 * @param kind what it names
 * @param process the name of the process in the {@link Exchange}
 * @param key of the thing itself
 */
public record ExchangeName(Kind kind, Bytes process, Bytes key) {
  /** The kinds of things that have names. */
  public enum Kind {
    /** Memory. */
    MEMORY(1),
    /** An event. */
    EVENT(2),
    /** A descriptor that a driver has made. */
    DESCRIPTOR(3),
    /** Memory of a pool. */
    POOL_MEMORY(4);

    private final int code;

    Kind(int code) {
      this.code = code;
    }
  }

  private static final int MARK = 0x6f62_6970;
  private static final int PROCESS = 8;
  private static final int KEY = PROCESS + Exchange.NAME;
  private static final int KEY_BYTES = 16;

  /** A new key. */
  public static Bytes newKey() {
    return Bytes.random(KEY_BYTES);
  }

  /** Its bytes. */
  public byte[] toArray() {
    return ByteBuffer.allocate(Exchange.REQUEST)
        .putInt(MARK)
        .putInt(kind.code)
        .put(process.toArray())
        .put(key.toArray())
        .array();
  }

  /** Reads one; null if it is none of this kind. */
  public static ExchangeName of(byte[] bytes, Kind kind) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    if (buffer.getInt() != MARK || buffer.getInt() != kind.code) {
      return null;
    }
    Bytes process = Bytes.of(Arrays.copyOfRange(bytes, PROCESS, KEY));
    return new ExchangeName(
        kind, process, Bytes.of(Arrays.copyOfRange(bytes, KEY, KEY + KEY_BYTES)));
  }

  /** Reads one from memory; null if it is none of this kind. */
  public static ExchangeName at(long address, Kind kind) {
    MemorySegment bytes = Native.MEMORY.asSlice(address, Exchange.REQUEST);
    return of(bytes.toArray(ValueLayout.JAVA_BYTE), kind);
  }

  /** Writes it into memory. */
  public void write(long address) {
    MemorySegment.copy(
        toArray(), 0, Native.MEMORY, ValueLayout.JAVA_BYTE, address, Exchange.REQUEST);
  }
}
