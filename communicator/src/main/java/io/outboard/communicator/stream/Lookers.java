// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.stream;

import io.outboard.communicator.posix.Processors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;

/**
 * Threads of this process that look at the same time instead of sleeping. Each takes a processor
 * from those that compute: the driver's threads, the program's, and other programs'.
 */
final class Lookers {
  /**
   * Those that wait for bytes. One program has a quarter of the processors for them; as many look
   * on its own side, and the driver has the rest. Where several programs are busy, there may be one
   * here once a program's share is six processors. With less, three threads that look for one
   * program would be more than it computes with.
   */
  static final Lookers READERS = new Lookers(Lookers::readers);

  /** Those of which there is one at a time anyway; none where several programs are busy. */
  static final Lookers SINGLE =
      new Lookers(() -> Processors.programs() == 1 ? Integer.MAX_VALUE : 0);

  private static final int SHARE_OF_ONE = 6;

  private final AtomicInteger now = new AtomicInteger();
  private final IntSupplier most;

  Lookers(IntSupplier most) {
    this.most = most;
  }

  private static int readers() {
    return readers(Processors.COUNT, Processors.programs());
  }

  /** How many of one of so many programs may look. */
  static int readers(int processors, int programs) {
    return programs == 1 ? Math.max(1, processors / 4) : processors / SHARE_OF_ONE / programs;
  }

  /** Whether the caller may look, until {@link #leave}. */
  boolean join() {
    if (now.getAndIncrement() < most.getAsInt()) {
      return true;
    }
    now.getAndDecrement();
    return false;
  }

  /** Behind each {@link #join} that said yes. */
  void leave() {
    now.getAndDecrement();
  }
}
