// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import io.outboard.communicator.Processors;
import java.util.concurrent.TimeUnit;

/**
 * A time at which nobody misses what is done ahead, as the machine's processors have been idle for
 * some of the time before. Where these are many it comes in the end though all are busy: one that
 * is taken from the programs is a small part of them.
 */
final class CalmTime {
  private static final long LATEST_NS = TimeUnit.SECONDS.toNanos(20);

  private final IdleProcessors processors;
  private final long latest = System.nanoTime() + LATEST_NS;
  private final double idle;

  /** {@code idle} is the share of all processors' time that is idle then, from 0 to 1. */
  CalmTime(double idle) {
    this(idle, new IdleProcessors());
  }

  /** {@code processors} are those of a test. */
  CalmTime(double idle, IdleProcessors processors) {
    this.idle = idle;
    this.processors = processors;
  }

  /** Whether it is now, after the time since the last question. */
  boolean hasCome() {
    return processors.shareSinceLast() >= idle
        || (Processors.TO_SPARE && System.nanoTime() - latest >= 0);
  }
}
