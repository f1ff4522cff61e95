// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.cuda;

import io.outboard.backend.system.NativeBuffer;
import io.outboard.cuda.vendor.VariableSharing;
import io.outboard.wire.Native;
import java.lang.foreign.MemorySegment;

/**
 * A variable in memory of a driver, and of a large one the client's copy of it: the bytes that the
 * client has read or written last.
 */
final class MirroredVariable implements AutoCloseable {
  private final long begin;
  private final long bytes;
  private final long owner;
  private final long context;
  private final NativeBuffer clients;

  /** {@code owner} is its module or library. */
  MirroredVariable(long begin, long bytes, long owner, long context) {
    this.begin = begin;
    this.bytes = bytes;
    this.owner = owner;
    this.context = context;
    this.clients = bytes < VariableSharing.LARGE ? null : new NativeBuffer(bytes + Long.BYTES);
  }

  long begin() {
    return begin;
  }

  long owner() {
    return owner;
  }

  long context() {
    return context;
  }

  boolean isSame(MirroredVariable other) {
    return begin == other.begin
        && bytes == other.bytes
        && owner == other.owner
        && context == other.context;
  }

  boolean contains(long address, long count) {
    return address >= begin
        && address < begin + bytes
        && count > 0
        && count <= begin + bytes - address;
  }

  void write(MaskedWords words) {
    words.write();
    if (clients != null) {
      words.at(clients(words.address())).write();
    }
  }

  /** Reads bytes into the words in which they lie. */
  void read(long address, long count, long words) {
    MaskedWords.read(address, count, words);
    if (clients != null) {
      Native.copy(words + (address & (Long.BYTES - 1)), clients(address), count);
    }
  }

  /** A byte for each part of the words in which the bytes lie: 0 where the client has it so. */
  void compare(long address, long count, long changed) {
    long first = address & -Long.BYTES;
    long part = 0;
    for (long at = first; at < address + count; at += VariableSharing.PART) {
      long from = Math.max(at, address);
      long to = Math.min(at + VariableSharing.PART, address + count);
      Native.putByte(changed + part++, (byte) (clients != null && isSame(from, to) ? 0 : 1));
    }
  }

  private boolean isSame(long from, long to) {
    long theirs = clients(from);
    return MemorySegment.mismatch(
            Native.MEMORY, from, to, Native.MEMORY, theirs, theirs + (to - from))
        < 0;
  }

  /** Where the client's byte of an address is; words lie in words. */
  private long clients(long address) {
    return clients.address() + (address - (begin & -Long.BYTES));
  }

  @Override
  public void close() {
    if (clients != null) {
      clients.close();
    }
  }
}
