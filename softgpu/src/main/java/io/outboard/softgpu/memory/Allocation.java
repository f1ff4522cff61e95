// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.memory;

/**
 * A piece of device memory.
 *
 * @param address device address of the first byte
 * @param bytes size as asked for
 * @param owner what it ends with, or null
 * @param kind how it came into being
 * @param pool the pool that it is counted in, or null
 */
public record Allocation(long address, long bytes, MemoryOwner owner, Kind kind, Pool pool) {
  /** How memory came into being. */
  public enum Kind {
    /** The program allocated it, and may free it. */
    PLAIN,
    /** A module's variable. */
    VARIABLE,
    /** A module's variable that the program may have at the same address. */
    MANAGED_VARIABLE,
    /** Memory that the program mapped at an address that it had reserved. */
    MAPPED,
    /** Memory that the program has at the same address. */
    MANAGED,
    /** Memory of a device that lies a second time where the kernels of all devices reach it. */
    COMMON,
    /** Page-locked memory of the program, which it has at the same address. */
    HOST,
    /** A node of a graph allocates it. */
    GRAPH,
    /** Memory of another process. */
    IMPORTED,
    /** The contents of an array; the program has no address of it. */
    ARRAY
  }

  /** Whether all of {@code count} bytes from {@code from} lie in it. */
  boolean contains(long from, long count) {
    long offset = from - address;
    return offset >= 0 && offset <= bytes && count >= 0 && count <= bytes - offset;
  }

  /** The address behind it. */
  public long end() {
    return address + bytes;
  }
}
