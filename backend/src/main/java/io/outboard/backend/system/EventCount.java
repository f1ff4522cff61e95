// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.system;

import io.outboard.communicator.posix.Futex;
import io.outboard.communicator.region.Shared;
import io.outboard.communicator.region.SharedFile;
import java.io.IOException;

/**
 * An eventcount (Reed and Kanodia, 1979) in memory that processes share: one thread sleeps on it
 * until somebody advances it. A process that has it can wake that thread for nothing, or let it
 * sleep until its time is up.
 */
public final class EventCount implements AutoCloseable {
  private static final long BYTES = 4096;

  private final SharedFile file;
  private final Futex futex = new Futex();

  private EventCount(SharedFile file) {
    this.file = file;
  }

  /** Makes one. */
  public static EventCount create() throws IOException {
    return new EventCount(SharedFile.create("outboard-events", BYTES));
  }

  /** Maps one that another process made. */
  public static EventCount map(int descriptor) throws IOException {
    return new EventCount(SharedFile.map(descriptor, BYTES));
  }

  /** Takes back one that a worker had. */
  public static EventCount takeBack(int descriptor) throws IOException {
    return new EventCount(SharedFile.takeBack(descriptor, BYTES));
  }

  public int descriptor() {
    return file.descriptor();
  }

  /** The events up to now, for {@link #await}. */
  public int read() {
    return read(file.address());
  }

  /** Counts an event, and wakes the thread that sleeps. */
  public void advance() {
    advance(file.address());
  }

  /** Sleeps until there has been an event since the count was read; for one thread. */
  public void await(int seen, long nanoseconds) {
    boolean unused = futex.sleep(file.address(), seen, nanoseconds);
  }

  /** The count in a word. */
  public static int read(long word) {
    return Shared.getInt(word);
  }

  /** Adds to the count in a word, and wakes the thread that sleeps there. */
  public static void advance(long word) {
    Shared.addInt(word, 1);
    Futex.wake(word);
  }

  @Override
  public void close() {
    file.close();
  }
}
