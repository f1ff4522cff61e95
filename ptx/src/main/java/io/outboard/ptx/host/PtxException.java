// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.host;

/** A PTX text that cannot be compiled; the message names line and column. */
public final class PtxException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates one with a message for people. */
  public PtxException(String message) {
    super(message);
  }
}
