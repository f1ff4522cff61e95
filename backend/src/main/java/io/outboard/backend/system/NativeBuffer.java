// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.system;

import io.outboard.communicator.posix.Memory;
import io.outboard.wire.Native;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A growable buffer outside the heap, backed by an anonymous mapping. The system commits a page
 * when it is first written. For one thread at a time; the owner closes it.
 */
public final class NativeBuffer implements AutoCloseable {
  private static final long PAGE = 4096;

  private long address;
  private long bytes;

  /** Makes room for at least so many bytes. */
  public NativeBuffer(long least) {
    bytes = pages(least);
    address = map(bytes);
  }

  public long address() {
    return address;
  }

  public long bytes() {
    return bytes;
  }

  /** Makes room for at least so many bytes; the first {@code kept} stay, perhaps elsewhere. */
  public void grow(long least, long kept) {
    if (least <= bytes) {
      return;
    }
    long larger = pages(Math.max(least, 2 * bytes));
    long moved = map(larger);
    Native.copy(address, moved, kept);
    close();
    address = moved;
    bytes = larger;
  }

  /** Copies bytes to a place of it. */
  public void put(long at, byte[] from, int offset, int length) {
    MemorySegment.copy(from, offset, Native.MEMORY, ValueLayout.JAVA_BYTE, address + at, length);
  }

  @Override
  public void close() {
    Memory.munmap(address, bytes);
  }

  private static long pages(long least) {
    return (least + PAGE - 1) & -PAGE;
  }

  private static long map(long bytes) {
    int flags = Memory.MAP_PRIVATE | Memory.MAP_ANONYMOUS | Memory.MAP_NORESERVE;
    long address = Memory.mmap(0, bytes, Memory.PROT_READ | Memory.PROT_WRITE, flags, -1, 0);
    if (address < 0) {
      throw new OutOfMemoryError(bytes + " bytes outside the heap: error " + -address);
    }
    return address;
  }
}
