// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.host;

/** What a coordinate outside of a texture means (CUDA C++ Programming Guide, "Texture Memory"). */
public enum PtxAddressing {
  WRAP,
  CLAMP,
  MIRROR,
  BORDER
}
