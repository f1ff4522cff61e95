// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.copy;

/**
 * Where the rows of a box lie in this process.
 *
 * @param first address of the first byte
 * @param pitch bytes from row to row
 * @param slice bytes from layer to layer
 */
record BoxRows(long first, long pitch, long slice) {
  /** The address of a row. */
  long row(long layer, long index) {
    return first + layer * slice + index * pitch;
  }
}
