// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

/**
 * What a session has done.
 *
 * @param calls that came
 * @param bytesIn that came
 * @param bytesOut that went
 */
public record SessionFigures(long calls, long bytesIn, long bytesOut) {
  /** Nothing. */
  public static final SessionFigures NOTHING = new SessionFigures(0, 0, 0);
}
