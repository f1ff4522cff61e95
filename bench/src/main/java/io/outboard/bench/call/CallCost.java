// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.call;

import io.outboard.bench.measure.Medium;

/**
 * One run of one measurement.
 *
 * @param medium what carried the bytes
 * @param what {@code pingpong} for two C programs and nothing else, {@code plain} for a call that
 *     is answered, {@code wait} for a small piece of work and the wait for it, {@code posted} for a
 *     call that is not answered
 * @param gapMicroseconds the pause before each call
 * @param p50 median cost to the caller, microseconds
 * @param p99 99th percentile
 * @param clientCpu CPU microseconds of the caller's process a call; for a ping-pong, of both
 * @param backendCpu CPU microseconds of the backend's processes a call
 */
public record CallCost(
    Medium medium,
    String what,
    long gapMicroseconds,
    double p50,
    double p99,
    double clientCpu,
    double backendCpu) {

  /** Names the series that rounds are compared in. */
  String series() {
    return medium + " " + what + " " + gapMicroseconds;
  }
}
