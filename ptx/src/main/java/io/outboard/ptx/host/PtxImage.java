// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.host;

/**
 * Texels in device memory: a surface, or one level of a texture.
 *
 * @param address device address of the first texel, a multiple of a texel's size
 * @param format of each value
 * @param channels values of a texel: 1, 2 or 4
 * @param dimensions 1 to 3, layers not counted
 * @param width texels of a row
 * @param height rows; 1 in one dimension
 * @param depth slices; 1 in one or two dimensions
 * @param layers images of the same extent that are never filtered together; 0 where it is not
 *     layered
 * @param pitch bytes from row to row
 * @param slice bytes from slice to slice and from layer to layer
 */
public record PtxImage(
    long address,
    PtxTexelFormat format,
    int channels,
    int dimensions,
    int width,
    int height,
    int depth,
    int layers,
    long pitch,
    long slice) {
  /** Bytes of a texel. */
  public int texelBytes() {
    return format.bytes() * channels;
  }

  /** How many slices or layers lie behind one another. */
  public int slices() {
    return Math.max(layers, depth);
  }
}
