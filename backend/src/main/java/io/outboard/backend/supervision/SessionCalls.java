// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.supervision;

import io.outboard.backend.suspend.SuspensionException;
import io.outboard.backend.worker.SessionOrders;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The calls of a session, as its worker tells them.
 *
 * @param underWay whether one is under way that uses devices
 * @param functions those that were called most, each with its count behind it; spaces divide them
 */
public record SessionCalls(boolean underWay, String functions) {
  /** Those of a session of which nothing is known. */
  public static final SessionCalls UNKNOWN = new SessionCalls(false, "");

  private static final Pattern SAID =
      Pattern.compile(
          "(%s|%s)((?: \\w{1,64} \\d{1,18}){0,%d}) ?"
              .formatted(SessionOrders.BUSY, SessionOrders.IDLE, SessionOrders.MOST_FUNCTIONS));

  /** Reads a worker's words; it counts as hostile. */
  static SessionCalls of(String said) throws SuspensionException {
    Matcher words = SAID.matcher(said);
    if (!words.matches()) {
      throw new SuspensionException("its worker says something that is not understood");
    }
    return new SessionCalls(words.group(1).equals(SessionOrders.BUSY), words.group(2).strip());
  }
}
