// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.library;

import io.outboard.wire.Dispatcher;
import java.util.Comparator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * How often each function of a library has been called in a session, to tell people what a program
 * does. Threads count without a lock, so that some calls that come at the same time count once.
 */
final class CallCounts {
  private final Dispatcher dispatcher;
  private final long[] counts;

  /** A function and the number of its calls. */
  record Called(String function, long count) {
    static final Comparator<Called> MOST_FIRST =
        Comparator.comparingLong(Called::count).reversed().thenComparing(Called::function);
  }

  CallCounts(Dispatcher dispatcher) {
    this.dispatcher = dispatcher;
    this.counts = new long[dispatcher.level() + 1];
  }

  /** A call has come, perhaps one that there is not. */
  void add(int number) {
    if (number > 0 && number < counts.length) {
      counts[number]++;
    }
  }

  /** Those that have been called. */
  Stream<Called> called() {
    return IntStream.range(0, counts.length)
        .filter(number -> counts[number] > 0 && dispatcher.name(number) != null)
        .mapToObj(number -> new Called(dispatcher.name(number), counts[number]));
  }
}
