// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.share;

import io.outboard.softgpu.memory.Mapping;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * The state of an event that several processes have: a page of a memory file, with the numbers of
 * recordings asked for and done, and the process that asked last. Mapped until nobody can reach it.
 */
public final class SharedMark {
  private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();
  private static final long ASKED = 0;
  private static final long DONE = 8;
  private static final long PROCESS = 16;

  private static final long OWN_PROCESS = ProcessHandle.current().pid();
  private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

  /** How often whoever waits asks whether the other process still is. */
  private static final int PAUSES = 1000;

  private final int file;
  private final MemorySegment words;

  private SharedMark(int file) {
    this.file = file;
    this.words = map(file);
  }

  private static MemorySegment map(int file) {
    return MemorySegment.ofAddress(Mapping.shared(Mapping.PAGE, file))
        .reinterpret(
            Mapping.PAGE,
            Arena.ofAuto(),
            page -> {
              Mapping.unmap(page.address(), Mapping.PAGE);
              Mapping.close(file);
            });
  }

  /** A new one, never recorded. */
  public static SharedMark create() {
    return new SharedMark(Mapping.file(Mapping.PAGE));
  }

  /** That of another process; its descriptor is taken over. */
  public static SharedMark of(int file) {
    return new SharedMark(file);
  }

  /**
   * Another process has it no more; the object that is to call this keeps it within reach till
   * then.
   */
  void letGo() {}

  int file() {
    return file;
  }

  /** Asks for a recording; its number. */
  public long ask() {
    WORD.setVolatile(words, PROCESS, OWN_PROCESS);
    return 1 + (long) WORD.getAndAdd(words, ASKED, 1L);
  }

  /** A recording is done, and with it all before it. */
  public void done(long number) {
    long before = (long) WORD.getVolatile(words, DONE);
    while (before < number && !WORD.compareAndSet(words, DONE, before, number)) {
      before = (long) WORD.getVolatile(words, DONE);
    }
  }

  /** Number of the latest recording. */
  public long latest() {
    return (long) WORD.getVolatile(words, ASKED);
  }

  /** Whether a recording is done; the work of a process that has gone is. */
  boolean isDone(long number) {
    return (long) WORD.getVolatile(words, DONE) >= number;
  }

  private boolean isOrphan() {
    long process = (long) WORD.getVolatile(words, PROCESS);
    return process != OWN_PROCESS && ProcessHandle.of(process).isEmpty();
  }

  /** Whether the latest recording is done. */
  public boolean isComplete() {
    return isDone(latest()) || isOrphan();
  }

  /** Waits for a recording, until {@code hopeless} says that nobody needs it any more. */
  public void await(long number, BooleanSupplier hopeless) {
    boolean over = false;
    for (int i = 1; !over && !isDone(number); i++) {
      LockSupport.parkNanos(PAUSE_NANOS);
      over = hopeless.getAsBoolean() || (i % PAUSES == 0 && isOrphan());
    }
  }
}
