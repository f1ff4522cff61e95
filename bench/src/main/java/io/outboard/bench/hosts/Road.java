// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.hosts;

/**
 * The network between two hosts.
 *
 * @param name for people
 * @param megabits a second, by the kernel; 0 for no limit
 * @param roundTripMs by a proxy; 0 for none
 */
record Road(String name, int megabits, double roundTripMs) {
  static Road unshaped() {
    return new Road("unshaped", 0, 0);
  }

  static Road narrow(int gigabits) {
    return new Road(gigabits + " Gbit/s", 1_000 * gigabits, 0);
  }

  static Road distant(double roundTripMs) {
    return new Road("%s ms".formatted(roundTripMs), 0, roundTripMs);
  }
}
