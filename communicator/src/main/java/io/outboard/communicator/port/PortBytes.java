// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.port;

import io.outboard.wire.Native;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Bytes on their way in one direction, outside the heap; they move to where their room begins. */
final class PortBytes {
  static final int ROOM = 4 * PortFrame.MOST;

  private final MemorySegment memory;
  private final long address;
  private int begin;
  private int end;

  PortBytes(Arena arena) {
    memory = arena.allocate(ROOM, Long.BYTES);
    address = memory.address();
  }

  int held() {
    return end - begin;
  }

  int room() {
    return ROOM - end;
  }

  /** The first byte that is held. */
  long first() {
    return address + begin;
  }

  /** Where the next bytes are put. */
  long next() {
    return address + end;
  }

  void added(int bytes) {
    end += bytes;
  }

  void dropped(int bytes) {
    begin += bytes;
  }

  void clear() {
    begin = 0;
    end = 0;
  }

  void closeUp() {
    if (begin > 0) {
      MemorySegment.copy(memory, begin, memory, 0, held());
      end -= begin;
      begin = 0;
    }
  }

  void putInt(int value) {
    Native.putInt(next(), value);
    end += Integer.BYTES;
  }

  void putLong(long value) {
    Native.putLong(next(), value);
    end += Long.BYTES;
  }

  void putZeros(int bytes) {
    memory.asSlice(end, bytes).fill((byte) 0);
    end += bytes;
  }
}
