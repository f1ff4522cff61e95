// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.host;

/**
 * The meaning of a coordinate outside of a texture (CUDA C++ Programming Guide, "Texture Memory").
 */
public enum PtxAddressing {
  WRAP,
  CLAMP,
  MIRROR,
  BORDER
}
