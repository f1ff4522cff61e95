// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.host;

import java.util.List;

/**
 * The texture of a texture object.
 *
 * @param levels from the largest to the smallest
 * @param sampler how they are read
 */
public record PtxTexture(List<PtxImage> levels, PtxSampler sampler) {
  /** Whether values come as they are stored, and not as floating-point numbers. */
  public boolean rawValues() {
    PtxTexelFormat format = levels.getFirst().format();
    return format.integral() && (sampler.integers() || format.bytes() == Integer.BYTES);
  }

  /**
   * Whether neighbouring texels are weighted: integers are not, whatever the filter is (CUDA C++
   * Programming Guide, "Texture Memory": a linear filter needs values that come as floating-point
   * numbers). The nearest is taken then.
   */
  public boolean isWeighted() {
    return sampler.linear() && !rawValues();
  }
}
