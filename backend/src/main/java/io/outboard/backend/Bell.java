// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import io.outboard.communicator.Futex;
import io.outboard.communicator.Memory;
import io.outboard.communicator.Posix;
import io.outboard.wire.Native;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * A count in memory that processes share, on which one thread sleeps until somebody adds to it.
 * Whoever has it can wake that thread for nothing, or have it sleep until its time is up; no more.
 */
final class Bell implements AutoCloseable {
  private static final long BYTES = 4096;
  private static final VarHandle WORD = ValueLayout.JAVA_INT.varHandle();

  private final int descriptor;
  private final long address;
  private final Futex futex = new Futex();

  private Bell(int descriptor, long address) {
    this.descriptor = descriptor;
    this.address = address;
  }

  /** Makes one. */
  static Bell create() throws IOException {
    return map(MemoryFile.create("outboard-bell", BYTES));
  }

  /** Maps one that another process made. */
  static Bell map(int descriptor) throws IOException {
    return new Bell(descriptor, MemoryFile.map(descriptor, BYTES));
  }

  int descriptor() {
    return descriptor;
  }

  /** What was rung up to now, for {@link #sleep}. */
  int count() {
    return count(address);
  }

  /** Wakes who sleeps. */
  void ring() {
    ring(address);
  }

  /** Sleeps until somebody has rung since the count was taken; for one thread. */
  void sleep(int seen, long nanoseconds) {
    boolean unused = futex.sleep(address, seen, nanoseconds);
  }

  /** The count in a word. */
  static int count(long word) {
    return (int) WORD.getVolatile(Native.MEMORY, word);
  }

  /** Adds to the count in a word, and wakes who sleeps there. */
  static void ring(long word) {
    int unused = (int) WORD.getAndAdd(Native.MEMORY, word, 1);
    Futex.wake(word);
  }

  @Override
  public void close() {
    Memory.munmap(address, BYTES);
    Posix.close(descriptor);
  }
}
