// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.supervision;

/**
 * How long calls of a session took in its worker, of those that were measured.
 *
 * @param calls that were measured
 * @param nanos that they took together
 */
public record SessionTimes(long calls, long nanos) {
  /** No call was measured. */
  public static final SessionTimes NONE = new SessionTimes(0, 0);
}
