// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.hosts;

import io.outboard.bench.measure.Backend;
import io.outboard.bench.measure.Programs;
import java.io.IOException;
import java.util.List;

/** Measures one road: programs run on the near host. */
final class RoadRuns {
  private static final String NEAR = "0";
  private static final String FAR = "1";

  private final Programs programs;
  private final Backend near;
  private final String far;
  private final Carried carried;
  private final String seconds;

  /**
   * Prepares it.
   *
   * @param near has joined the far one
   * @param far where the backend of the far host is reached
   * @param seconds of each measurement
   */
  RoadRuns(Programs programs, Backend near, String far, Carried carried, int seconds) {
    this.programs = programs;
    this.near = near;
    this.far = far;
    this.carried = carried;
    this.seconds = Integer.toString(seconds);
  }

  RoadRun measure() throws IOException, InterruptedException {
    double direct = calls(far, NEAR, 0);
    return new RoadRun(
        calls(near.shm(), NEAR, 0),
        calls(near.shm(), NEAR, direct),
        direct,
        calls(near.shm(), FAR, 0),
        copies(NEAR, FAR),
        copies(FAR, NEAR),
        carried.there(),
        carried.back());
  }

  /** Microseconds. */
  private double calls(String endpoint, String device, double pause)
      throws IOException, InterruptedException {
    String pauses = Long.toString(Math.round(pause));
    return programs.hosts(endpoint, List.of("calls", device, pauses, seconds)).p50();
  }

  private double copies(String from, String to) throws IOException, InterruptedException {
    return programs.copiesBetween(near.shm(), from, to, seconds);
  }
}
