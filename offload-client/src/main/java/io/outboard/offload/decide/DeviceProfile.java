// SPDX-License-Identifier: Apache-2.0
package io.outboard.offload.decide;

/**
 * The power that a device is said to take. Nobody measures it here: what follows from it is an
 * estimate, and has this name.
 *
 * @param name of the device, for people
 * @param workWatts while a method runs on it
 * @param waitWatts while it waits for a backend, its radio included
 */
public record DeviceProfile(String name, double workWatts, double waitWatts) {
  /** By time alone. */
  static final DeviceProfile NONE = new DeviceProfile("none", 1, 1);

  /** Checks it. */
  public DeviceProfile {
    if (!(workWatts > 0) || !(waitWatts > 0)) {
      throw new IllegalArgumentException(name + ": a device takes power");
    }
  }

  double watts(boolean remote) {
    return remote ? waitWatts : workWatts;
  }
}
