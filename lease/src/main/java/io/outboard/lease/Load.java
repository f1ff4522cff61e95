// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease;

import java.util.Map;

/**
 * The parts of a device that are given away.
 *
 * @param share thousandths, of leases
 * @param memory bytes, of leases
 * @param common sessions without a lease that have it together
 */
public record Load(int share, long memory, int common) {
  /** Nothing. */
  public static final Load NONE = new Load(0, 0, 0);

  /** That of a device among several, by their ids. */
  public static Load of(Map<GpuId, Load> loads, Gpu gpu) {
    return loads.getOrDefault(gpu.id(), NONE);
  }

  /** With a lease more. */
  public Load plus(LeaseRequest request, Gpu gpu) {
    return request.isCommon()
        ? new Load(share, memory, common + 1)
        : new Load(share + request.share(), memory + request.memoryOf(gpu), common);
  }

  /**
   * Whether a lease can be added. Sessions without a lease have no limit, so that no lease can be
   * beside them.
   */
  public boolean hasRoom(LeaseRequest request, Gpu gpu) {
    if (request.isCommon()) {
      return share == 0;
    }
    return common == 0
        && share + request.share() <= LeaseRequest.WHOLE
        && memory + request.memoryOf(gpu) <= gpu.memory();
  }
}
