// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.supervision;

/**
 * Figures of a session's work.
 *
 * @param calls that came
 * @param bytesIn that came
 * @param bytesOut that went
 * @param linksLost how often its client has lost its connection
 * @param linksResumed how often it has come back
 */
public record SessionFigures(
    long calls, long bytesIn, long bytesOut, long linksLost, long linksResumed) {
  /** Nothing. */
  public static final SessionFigures NOTHING = new SessionFigures(0, 0, 0);

  /** Those of a session whose client was there all the time. */
  public SessionFigures(long calls, long bytesIn, long bytesOut) {
    this(calls, bytesIn, bytesOut, 0, 0);
  }

  /** These and others. */
  public SessionFigures plus(SessionFigures more) {
    return new SessionFigures(
        calls + more.calls,
        bytesIn + more.bytesIn,
        bytesOut + more.bytesOut,
        linksLost + more.linksLost,
        linksResumed + more.linksResumed);
  }

  /**
   * Returns the growth since an earlier moment. A worker could count backwards; that counts as no
   * growth.
   */
  public SessionFigures since(SessionFigures before) {
    return new SessionFigures(
        Math.max(0, calls - before.calls),
        Math.max(0, bytesIn - before.bytesIn),
        Math.max(0, bytesOut - before.bytesOut),
        Math.max(0, linksLost - before.linksLost),
        Math.max(0, linksResumed - before.linksResumed));
  }
}
