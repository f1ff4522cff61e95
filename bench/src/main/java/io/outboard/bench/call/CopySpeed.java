// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.call;

import io.outboard.bench.measure.Medium;

/**
 * One run of one kind of copy.
 *
 * @param medium what carried the bytes
 * @param what which way they went, and from what kind of memory
 * @param speed GB/s
 * @param memcpy of as many bytes in the same process, GB/s
 */
public record CopySpeed(Medium medium, String what, double speed, double memcpy) {

  /** Names the series that rounds are compared in. */
  String series() {
    return medium + " " + what;
  }

  double ratio() {
    return speed / memcpy;
  }
}
