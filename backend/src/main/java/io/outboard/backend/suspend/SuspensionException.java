// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.suspend;

/** A session cannot be suspended, or not be resumed; the message says why, for people. */
public final class SuspensionException extends Exception {
  private static final long serialVersionUID = 1;

  /** How far-reaching the failure is. */
  private enum Extent {
    PERHAPS_LATER,
    LOSS,
    OVER
  }

  private final Extent extent;

  /** Makes one. */
  public SuspensionException(String message) {
    this(message, null);
  }

  /** Makes one. */
  public SuspensionException(String message, Throwable cause) {
    this(message, cause, Extent.PERHAPS_LATER);
  }

  private SuspensionException(String message, Throwable cause, Extent extent) {
    super(message, cause);
    this.extent = extent;
  }

  /** The saved state is lost. */
  public static SuspensionException loss(String message) {
    return new SuspensionException(message, null, Extent.LOSS);
  }

  /** The session has ended, or is about to. */
  public static SuspensionException over(Throwable cause) {
    return new SuspensionException("the session has ended", cause, Extent.OVER);
  }

  /** Whether there is no use in trying again. */
  public boolean isLoss() {
    return extent == Extent.LOSS;
  }

  /** Whether the session has ended, so that it has nothing to suspend or to resume. */
  public boolean isOver() {
    return extent == Extent.OVER;
  }
}
