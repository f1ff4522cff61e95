// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.hosts;

/**
 * The figures of one round on a road.
 *
 * @param local microseconds of a call to a device of the near host, over shared memory
 * @param rested the same after a pause of {@code direct}, in which its worker falls asleep
 * @param direct of a call in a session with the far host alone
 * @param joined of a call to the device of the far host that the near one has joined
 * @param there GB/s of a copy to the device of the far host
 * @param back GB/s of a copy from it
 * @param carriedThere GB/s that the network carries to the far host
 * @param carriedBack GB/s that it carries from there
 */
record RoadRun(
    double local,
    double rested,
    double direct,
    double joined,
    double there,
    double back,
    double carriedThere,
    double carriedBack) {

  double hop() {
    return joined - direct;
  }

  double ofNetworkThere() {
    return there / carriedThere;
  }

  double ofNetworkBack() {
    return back / carriedBack;
  }
}
