// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.copy;

/**
 * Rows of bytes at regular distances.
 *
 * @param pitch bytes from the start of a row to that of the next
 * @param rowBytes bytes of a row
 */
public record Rectangle(long pitch, long rowBytes, long rows) {
  /** One row. */
  public static Rectangle line(long bytes) {
    return new Rectangle(bytes, bytes, 1);
  }

  public boolean isEmpty() {
    return rowBytes == 0 || rows == 0;
  }

  /** Whether no size is negative, the rows do not overlap and {@link #extent} is a number. */
  public boolean isPossible() {
    if (rowBytes < 0 || rows < 0 || pitch < 0) {
      return false;
    }
    return rows <= 1
        || (pitch >= rowBytes && Math.multiplyHigh(rows, pitch) == 0 && rows * pitch >= 0);
  }

  /** Bytes from the first to the last. */
  public long extent() {
    return isEmpty() ? 0 : (rows - 1) * pitch + rowBytes;
  }
}
