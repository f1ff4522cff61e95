// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.image;

/** An image that nothing can be loaded from. */
public final class ImageException extends Exception {
  private static final long serialVersionUID = 1L;

  private final int result;

  /**
   * Creates one.
   *
   * @param result the vendor's result code ({@code CUresult})
   * @param message a line for people
   */
  public ImageException(int result, String message) {
    super(message);
    this.result = result;
  }

  /** The vendor's result code. */
  public int result() {
    return result;
  }
}
