// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.trace;

/**
 * Something that took time: a call, or a piece of work of a device.
 *
 * @param begin in microseconds of the trace's clock
 * @param time in microseconds
 */
record Slice(Track track, String name, double begin, double time) {
  double end() {
    return begin + time;
  }

  /**
   * A line of slices.
   *
   * @param process what it is a part of, by its number in the file
   * @param thread its number there
   */
  record Track(int process, int thread) {}
}
