// SPDX-License-Identifier: Apache-2.0
package io.outboard.gpu;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Memory of a GPU. Copies are done in order with launches, and are complete when they return. */
public final class GpuMemory implements AutoCloseable {
  private final Gpu gpu;
  private final long address;
  private final long bytes;
  private boolean mine;

  GpuMemory(Gpu gpu, long address, long bytes, boolean mine) {
    this.gpu = gpu;
    this.address = address;
    this.bytes = bytes;
    this.mine = mine;
  }

  /** Where it is, as kernels see it. */
  public long address() {
    return address;
  }

  /** Its size in bytes. */
  public long bytes() {
    return bytes;
  }

  /** Writes these values to its beginning. */
  public void write(float... values) {
    writeHeap(MemorySegment.ofArray(values));
  }

  /** Writes these values to its beginning. */
  public void write(double... values) {
    writeHeap(MemorySegment.ofArray(values));
  }

  /** Writes these values to its beginning. */
  public void write(int... values) {
    writeHeap(MemorySegment.ofArray(values));
  }

  /** Writes these values to its beginning. */
  public void write(long... values) {
    writeHeap(MemorySegment.ofArray(values));
  }

  /** Writes these bytes to its beginning. */
  public void write(byte... values) {
    writeHeap(MemorySegment.ofArray(values));
  }

  /**
   * Writes the bytes of a segment to its beginning.
   *
   * @param source outside the heap
   * @throws IndexOutOfBoundsException if they are more than there are here
   */
  public void write(MemorySegment source) {
    fits(source.byteSize());
    GpuException.check(
        "cuMemcpyHtoD", gpu.driver().cuMemcpyHtoD_v2(address, source.address(), source.byteSize()));
  }

  private void writeHeap(MemorySegment values) {
    try (Arena arena = Arena.ofConfined()) {
      write(arena.allocate(values.byteSize(), Long.BYTES).copyFrom(values));
    }
  }

  /** Reads all of it. */
  public float[] readFloats() {
    try (Arena arena = Arena.ofConfined()) {
      return readAll(arena).toArray(ValueLayout.JAVA_FLOAT);
    }
  }

  /** Reads all of it. */
  public double[] readDoubles() {
    try (Arena arena = Arena.ofConfined()) {
      return readAll(arena).toArray(ValueLayout.JAVA_DOUBLE);
    }
  }

  /** Reads all of it. */
  public int[] readInts() {
    try (Arena arena = Arena.ofConfined()) {
      return readAll(arena).toArray(ValueLayout.JAVA_INT);
    }
  }

  /** Reads all of it. */
  public long[] readLongs() {
    try (Arena arena = Arena.ofConfined()) {
      return readAll(arena).toArray(ValueLayout.JAVA_LONG);
    }
  }

  /** Reads all of it. */
  public byte[] readBytes() {
    try (Arena arena = Arena.ofConfined()) {
      return readAll(arena).toArray(ValueLayout.JAVA_BYTE);
    }
  }

  private MemorySegment readAll(Arena arena) {
    MemorySegment all = arena.allocate(bytes, Long.BYTES);
    read(all);
    return all;
  }

  /**
   * Fills a segment from its beginning.
   *
   * @param destination outside the heap
   * @throws IndexOutOfBoundsException if it is larger than what is here
   */
  public void read(MemorySegment destination) {
    fits(destination.byteSize());
    GpuException.check(
        "cuMemcpyDtoH",
        gpu.driver().cuMemcpyDtoH_v2(destination.address(), address, destination.byteSize()));
  }

  /** Sets every byte. */
  public void fill(byte value) {
    GpuException.check("cuMemsetD8", gpu.driver().cuMemsetD8_v2(address, value, bytes));
  }

  private void fits(long size) {
    if (size > bytes) {
      throw new IndexOutOfBoundsException(size + " bytes in memory of " + bytes);
    }
  }

  /** Frees it; a module's variables stay until the module ends. */
  @Override
  public void close() {
    if (mine) {
      mine = false;
      GpuException.check("cuMemFree", gpu.driver().cuMemFree_v2(address));
    }
  }
}
