// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.communicator.posix.Memory;
import io.outboard.communicator.posix.Posix;
import io.outboard.wire.Native;
import java.nio.file.Path;

/**
 * The host's side of {@code sameAddress.c}: pointers in memory that a guest and its host have at
 * one address. They lie behind all parts that the backend gives to sessions.
 */
final class SameAddress implements AutoCloseable {
  private static final long PART = 512 << 10;
  private static final long FIRST = 63 << 20;
  private static final long SECOND = FIRST + PART;
  private static final long VALUE = 42;

  // Free in both processes.
  private static final long ADDRESS = 0x2b00_0000_0000L;

  // A part: its address, then two nodes of a pointer to the next one and a value.
  private static final int FIRST_NODE = 8;
  private static final int SECOND_NODE = 24;

  private final int file;

  /** Puts pointers into memory that is as long as the guest's. */
  SameAddress(Path memory) {
    file = Posix.open(memory.toString(), Posix.O_RDWR | Posix.O_CLOEXEC, 0);
    map(ADDRESS, FIRST);
    Native.putLong(ADDRESS, ADDRESS);
    Native.putLong(ADDRESS + FIRST_NODE, ADDRESS + SECOND_NODE);
    Native.putLong(ADDRESS + SECOND_NODE + 8, VALUE);
  }

  private void map(long address, long offset) {
    int access = Memory.PROT_READ | Memory.PROT_WRITE;
    assertTrue(Memory.mapAt(address, PART, access, Memory.MAP_SHARED, file, offset));
  }

  /** Follows the pointers that the guest has put there. */
  void check() {
    assertEquals(ADDRESS + FIRST_NODE, Native.getLong(ADDRESS + SECOND_NODE));
    long guests = guestsAddress();
    map(guests, SECOND);
    long next = Native.getLong(guests + FIRST_NODE);
    assertEquals(guests + SECOND_NODE, next);
    assertEquals(VALUE, Native.getLong(next + 8));
    int unused = Memory.munmap(guests, PART);
  }

  private long guestsAddress() {
    int access = Memory.PROT_READ;
    long anywhere = Memory.mmap(0, PART, access, Memory.MAP_SHARED, file, SECOND);
    long address = Native.getLong(anywhere);
    int unused = Memory.munmap(anywhere, PART);
    return address;
  }

  @Override
  public void close() {
    int unused = Memory.munmap(ADDRESS, PART);
    Posix.close(file);
  }
}
