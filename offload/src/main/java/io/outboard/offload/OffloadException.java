// SPDX-License-Identifier: Apache-2.0
package io.outboard.offload;

/** A call that has no result of its method, and none of its declared exceptions either. */
public final class OffloadException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Kind kind;

  /** How far the call has come, as far as that is known. */
  public enum Kind {
    /** The method has not begun, and will not. */
    NOT_BEGUN,
    /** Nobody knows whether the method has begun: the connection, or the worker, was lost. */
    LOST,
    /** The method has thrown something that its interface does not declare. */
    FAILED,
    /** The caller has cancelled it. */
    CANCELLED
  }

  /** Makes one; the message says why. */
  public OffloadException(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  /** The same with a cause. */
  public OffloadException(Kind kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  /** How far the call has come, as far as that is known. */
  public Kind kind() {
    return kind;
  }
}
