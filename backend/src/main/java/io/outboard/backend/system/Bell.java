// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.system;

import io.outboard.communicator.posix.Futex;
import io.outboard.communicator.region.Shared;
import io.outboard.communicator.region.SharedFile;
import java.io.IOException;

/**
 * A count in memory that processes share, on which one thread sleeps until somebody adds to it. A
 * process that has it can wake that thread for nothing, or let it sleep until its time is up.
 */
public final class Bell implements AutoCloseable {
  private static final long BYTES = 4096;

  private final SharedFile file;
  private final Futex futex = new Futex();

  private Bell(SharedFile file) {
    this.file = file;
  }

  /** Makes one. */
  public static Bell create() throws IOException {
    return new Bell(SharedFile.create("outboard-bell", BYTES));
  }

  /** Maps one that another process made. */
  public static Bell map(int descriptor) throws IOException {
    return new Bell(SharedFile.map(descriptor, BYTES));
  }

  /** Takes back one that a worker had. */
  public static Bell takeBack(int descriptor) throws IOException {
    return new Bell(SharedFile.takeBack(descriptor, BYTES));
  }

  public int descriptor() {
    return file.descriptor();
  }

  /** The rings up to now, for {@link #sleep}. */
  public int count() {
    return count(file.address());
  }

  /** Wakes who sleeps. */
  public void ring() {
    ring(file.address());
  }

  /** Sleeps until somebody has rung since the count was taken; for one thread. */
  public void sleep(int seen, long nanoseconds) {
    boolean unused = futex.sleep(file.address(), seen, nanoseconds);
  }

  /** The count in a word. */
  public static int count(long word) {
    return Shared.getInt(word);
  }

  /** Adds to the count in a word, and wakes who sleeps there. */
  public static void ring(long word) {
    Shared.addInt(word, 1);
    Futex.wake(word);
  }

  @Override
  public void close() {
    file.close();
  }
}
