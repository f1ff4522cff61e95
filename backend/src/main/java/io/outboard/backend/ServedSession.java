// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

/** A session that a worker serves. */
public interface ServedSession {
  /** What it has done up to now. */
  SessionFigures figures();

  /** Whose it is, for people: the program and its process. */
  default String client() {
    return "";
  }

  /** How long its calls take. */
  default SessionTimes times() {
    return SessionTimes.NONE;
  }

  /** Ends it at once, whatever it does; {@code why} is for the log. */
  void stop(String why);
}
