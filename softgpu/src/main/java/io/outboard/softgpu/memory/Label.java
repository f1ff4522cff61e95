// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.memory;

import io.outboard.wire.Bytes;
import io.outboard.wire.Native;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The facts about a descriptor that another process needs: the first page of its file, before the
 * memory itself.
 *
 * @param kind what the descriptor is of
 * @param device ordinal of the device that it lies on
 * @param handleTypes how it may be shared
 * @param number size of memory in bytes; which pool of its process
 * @param identity of memory; of the process that has the pool
 */
public record Label(Kind kind, int device, int handleTypes, long number, Bytes identity) {
  /** Bytes of an identity. */
  public static final int IDENTITY = 16;

  private static final long MARK = 0x6c_6162_656c_6f62L;
  private static final int KIND = 8;
  private static final int DEVICE = 12;
  private static final int TYPES = 16;
  private static final int NUMBER = 24;
  private static final int NAME = 32;

  /** The kinds of descriptors. */
  public enum Kind {
    MEMORY(1),
    POOL(2);

    private final int code;

    Kind(int code) {
      this.code = code;
    }
  }

  /** Writes it into a file of at least a page. */
  public void write(int file) {
    long page = Mapping.shared(Mapping.PAGE, file);
    Native.putInt(page + KIND, kind.code);
    Native.putInt(page + DEVICE, device);
    Native.putInt(page + TYPES, handleTypes);
    Native.putLong(page + NUMBER, number);
    MemorySegment.copy(
        identity.toArray(), 0, Native.MEMORY, ValueLayout.JAVA_BYTE, page + NAME, IDENTITY);
    Native.putLong(page, MARK);
    Mapping.unmap(page, Mapping.PAGE);
  }

  /** Reads that of a file; null if it has none of this kind. */
  public static Label read(int file, Kind kind) {
    if (Mapping.length(file) < Mapping.PAGE) {
      return null;
    }
    long page = Mapping.shared(Mapping.PAGE, file);
    boolean labelled = Native.getLong(page) == MARK && Native.getInt(page + KIND) == kind.code;
    Label found = labelled ? at(page, kind) : null;
    Mapping.unmap(page, Mapping.PAGE);
    return found;
  }

  private static Label at(long page, Kind kind) {
    MemorySegment identity = Native.MEMORY.asSlice(page + NAME, IDENTITY);
    return new Label(
        kind,
        Native.getInt(page + DEVICE),
        Native.getInt(page + TYPES),
        Native.getLong(page + NUMBER),
        Bytes.of(identity.toArray(ValueLayout.JAVA_BYTE)));
  }
}
