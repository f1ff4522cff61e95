// SPDX-License-Identifier: Apache-2.0
package io.outboard.wire;

/** The peer broke the protocol; its session ends. The message says how, for the log. */
public final class ProtocolException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates one. */
  public ProtocolException(String message) {
    super(message, null, false, false);
  }
}
