// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.image;

/** Compressed bytes that are not what they should be. */
final class MalformedException extends Exception {
  private static final long serialVersionUID = 1L;

  MalformedException(String message) {
    super(message);
  }
}
