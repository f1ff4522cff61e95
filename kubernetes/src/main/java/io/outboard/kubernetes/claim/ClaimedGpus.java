// SPDX-License-Identifier: Apache-2.0
package io.outboard.kubernetes.claim;

import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.resource.v1.Device;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResult;
import io.outboard.kubernetes.resource.GpuLeaseSpec;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The lease that a claim's places are: as many GPUs of one model, with as much of each. */
final class ClaimedGpus {
  private static final int DIGITS = 3;
  private static final BigDecimal LEAST_SHARE = new BigDecimal("0.001");

  private ClaimedGpus() {}

  /**
   * Reads it.
   *
   * @param places of the pool, by their names
   * @throws IllegalArgumentException if no lease is of such GPUs; the message is for people
   */
  static GpuLeaseSpec spec(
      List<DeviceRequestAllocationResult> results, Map<String, Device> places) {
    Set<GpuLeaseSpec> kinds = new HashSet<>();
    for (DeviceRequestAllocationResult result : results) {
      Device place = places.get(result.getDevice());
      if (place == null) {
        throw new IllegalArgumentException(
            "the pool has no '%s' any more".formatted(result.getDevice()));
      }
      kinds.add(spec(results.size(), place, result.getConsumedCapacity()));
    }
    if (kinds.size() != 1) {
      throw new IllegalArgumentException(
          "the GPUs of a claim are of one model, with as much memory of each: another claim has"
              + " the others");
    }
    return kinds.iterator().next();
  }

  private static GpuLeaseSpec spec(int gpus, Device place, Map<String, Quantity> consumed) {
    String model = place.getAttributes().get(Places.MODEL).getString();
    BigDecimal all = place.getCapacity().get(Places.MEMORY).getValue().getNumericalAmount();
    Quantity some = consumed == null ? null : consumed.get(Places.MEMORY);
    if (some == null || some.getNumericalAmount().compareTo(all) >= 0) {
      return new GpuLeaseSpec(gpus, model, null, null);
    }
    BigDecimal share = some.getNumericalAmount().divide(all, DIGITS, RoundingMode.DOWN);
    return new GpuLeaseSpec(
        gpus, model, some.toString(), share.max(LEAST_SHARE).stripTrailingZeros());
  }
}
