// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease;

import java.util.OptionalLong;

/**
 * A lease's use of a device since its grant, as far as that is written down.
 *
 * @param gpu the device
 * @param bytesIn bytes that came from the lease's programs; with several devices at the first one
 * @param bytesOut bytes that went to them
 * @param busy nanoseconds in which the device had work of them, none where that was not measured
 * @param energy millijoules, none where that was not measured
 */
public record GpuUse(
    GpuId gpu, long bytesIn, long bytesOut, OptionalLong busy, OptionalLong energy) {
  /** The same of a device that another node has told of as its own. */
  public GpuUse on(String node) {
    return new GpuUse(new GpuId(node, gpu.uuid()), bytesIn, bytesOut, busy, energy);
  }
}
