// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.suspend;

/** A session cannot be suspended, or not be resumed; the message says why, for people. */
public final class SuspensionException extends Exception {
  private static final long serialVersionUID = 1;

  private final boolean loss;

  /** Makes one. */
  public SuspensionException(String message) {
    this(message, null);
  }

  /** Makes one. */
  public SuspensionException(String message, Throwable cause) {
    this(message, cause, false);
  }

  private SuspensionException(String message, Throwable cause, boolean loss) {
    super(message, cause);
    this.loss = loss;
  }

  /** What was put aside is lost. */
  public static SuspensionException loss(String message) {
    return new SuspensionException(message, null, true);
  }

  /** Whether there is no use in trying again. */
  public boolean isLoss() {
    return loss;
  }
}
