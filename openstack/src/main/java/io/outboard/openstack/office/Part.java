// SPDX-License-Identifier: Apache-2.0
package io.outboard.openstack.office;

import io.outboard.api.json.Ordered;
import java.math.BigDecimal;
import java.util.Map;

/**
 * A part of the pool: whole GPUs of a model, or some memory of one and as much of its time.
 *
 * @param model name of the GPUs
 * @param gpus how many
 * @param memory bytes of the GPU; 0 for whole ones
 * @param share thousandths of the GPU's time
 */
public record Part(String model, long gpus, long memory, int share) {
  private static final int WHOLE = 1000;
  private static final int THOUSANDTHS = 3;

  /** Whole GPUs. */
  public static Part whole(String model, long gpus) {
    return new Part(model, gpus, 0, WHOLE);
  }

  /**
   * Some memory of a GPU.
   *
   * @param all that such a GPU has, in bytes
   */
  public static Part of(String model, long memory, long all) {
    long share = memory < all ? Math.max(1, WHOLE * (memory >> 20) / (all >> 20)) : WHOLE;
    return new Part(model, 1, memory, (int) share);
  }

  Map<String, Object> body() {
    Map<String, Object> whole = Ordered.of("gpus", gpus, "model", LeaseOffice.cut(model));
    if (memory == 0) {
      return whole;
    }
    whole.put("memory", memory);
    whole.put("share", BigDecimal.valueOf(share, THOUSANDTHS));
    return whole;
  }
}
