// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.host;

import java.util.List;

/**
 * How a texture is read.
 *
 * @param addressing of x, y and z
 * @param linear whether neighbouring texels are weighted; else the nearest is taken
 * @param normalized whether coordinates go from 0 to 1; else from 0 to the extent
 * @param integers whether integers of 8 and 16 bits are read as they are; else as fractions of the
 *     largest. Those of 32 bits always are read as they are
 * @param border the four values outside, where the addressing says so
 * @param between whether levels are weighted too; else the nearest is taken
 * @param bias added to each level that is asked for
 * @param least the least level
 * @param most the greatest level, not less than the least
 */
public record PtxSampler(
    List<PtxAddressing> addressing,
    boolean linear,
    boolean normalized,
    boolean integers,
    List<Float> border,
    boolean between,
    float bias,
    float least,
    float most) {
  /** The mode along an axis: where coordinates are not normalized, nothing is repeated. */
  public PtxAddressing along(int axis) {
    PtxAddressing wanted = addressing.get(axis);
    return normalized || wanted == PtxAddressing.BORDER ? wanted : PtxAddressing.CLAMP;
  }
}
