// SPDX-License-Identifier: Apache-2.0
package io.outboard.office;

import io.outboard.api.json.Ordered;
import java.math.BigDecimal;
import java.util.Map;

/**
 * A part of the pool: whole GPUs of a model, or some memory of each and some of its time.
 *
 * @param model name of the GPUs; empty for any
 * @param gpus how many
 * @param memory bytes of each; 0 for as much as the share gives
 * @param share thousandths of each one's time
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
    Map<String, Object> body = Ordered.of("gpus", gpus);
    if (!model.isEmpty()) {
      body.put("model", LeaseOffice.cut(model));
    }
    if (memory > 0) {
      body.put("memory", memory);
    }
    if (memory > 0 || share < WHOLE) {
      body.put("share", BigDecimal.valueOf(share, THOUSANDTHS));
    }
    return body;
  }
}
