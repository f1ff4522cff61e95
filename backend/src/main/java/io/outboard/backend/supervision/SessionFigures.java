// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.supervision;

/**
 * Figures of a session's work.
 *
 * @param calls that came
 * @param bytesIn that came
 * @param bytesOut that went
 */
public record SessionFigures(long calls, long bytesIn, long bytesOut) {
  /** Nothing. */
  public static final SessionFigures NOTHING = new SessionFigures(0, 0, 0);

  /** These and others. */
  public SessionFigures plus(SessionFigures more) {
    return new SessionFigures(calls + more.calls, bytesIn + more.bytesIn, bytesOut + more.bytesOut);
  }

  /**
   * Returns the growth since an earlier moment. A worker could count backwards; that counts as no
   * growth.
   */
  public SessionFigures since(SessionFigures before) {
    return new SessionFigures(
        Math.max(0, calls - before.calls),
        Math.max(0, bytesIn - before.bytesIn),
        Math.max(0, bytesOut - before.bytesOut));
  }
}
