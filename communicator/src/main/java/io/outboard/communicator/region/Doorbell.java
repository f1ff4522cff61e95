// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.region;

/**
 * How a side that sleeps on a word of shared memory is woken. It says in the word what it waits
 * for, looks once more, and sleeps while the word stays as it is. The other side changes the word
 * and rings.
 */
public interface Doorbell {
  /** Sleeps while the word is as expected, for a while at most; may return too soon. */
  void sleep(int expected);

  /** Wakes all that sleep; the word has been changed. */
  void ring();

  /** How the doorbells of a region are made. */
  @FunctionalInterface
  interface Kind {
    /** The kernel's, on the word itself: both sides run under one kernel. */
    Kind FUTEX = FutexDoorbell::new;

    /**
     * The doorbell of a word, for one thread that sleeps at a time.
     *
     * @param leastMs how long a sleep lasts at most
     * @param mostMs how long one lasts at most after many that nobody ended
     */
    Doorbell at(long word, long leastMs, long mostMs);

    /**
     * From here on nobody is woken over the connection beside the region, which has been shut down
     * and will be another one.
     */
    default void leave() {}

    /** Whether waking takes much longer than between processes of one kernel. */
    default boolean isSlow() {
      return false;
    }
  }
}
