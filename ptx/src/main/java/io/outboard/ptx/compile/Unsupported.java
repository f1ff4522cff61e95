// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.compile;

/** An instruction or a form of one that is not implemented. */
final class Unsupported extends RuntimeException {
  private static final long serialVersionUID = 1L;

  Unsupported(String message) {
    super(message, null, false, false);
  }
}
