// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.supervision;

/**
 * A session's present activity.
 *
 * @param working whether a call is under way, or work of its devices
 * @param calls a number that changes with each call that uses devices
 */
public record SessionActivity(boolean working, long calls) {
  /** A session of which nothing is known counts as working. */
  public static final SessionActivity UNKNOWN = new SessionActivity(true, 0);
}
