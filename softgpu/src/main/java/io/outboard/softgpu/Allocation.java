// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

/**
 * A piece of device memory.
 *
 * @param address device address of the first byte
 * @param bytes size as asked for
 * @param owner the context that it ends with
 * @param variable whether it is a module's variable, which the program cannot free
 */
record Allocation(long address, long bytes, Context owner, boolean variable) {
  /** Whether all of {@code count} bytes from {@code from} lie in it. */
  boolean contains(long from, long count) {
    long offset = from - address;
    return offset >= 0 && offset <= bytes && count >= 0 && count <= bytes - offset;
  }
}
