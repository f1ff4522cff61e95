// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.supervision;

import io.outboard.backend.suspend.DeviceMove;
import io.outboard.backend.suspend.SuspensionException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A session that a worker serves. */
public interface ServedSession {
  /** Returns the session's figures up to now. */
  SessionFigures figures();

  /** So many of the bytes are on an account; the next daemon counts from there. */
  default void counted(SessionFigures figures) {}

  /** Returns the figures that were already on an account when this daemon took the session over. */
  default SessionFigures counted() {
    return SessionFigures.NOTHING;
  }

  /** From now on it uses a lease. */
  default void uses(String lease) {}

  /** Whose it is, for people: the program and its process. */
  default String client() {
    return "";
  }

  /** Since when its client is away, and until when that may last; none while it is there. */
  default Optional<Absence> absence() {
    return Optional.empty();
  }

  /** How long its calls take. */
  default SessionTimes times() {
    return SessionTimes.NONE;
  }

  /**
   * Returns the session's calls.
   *
   * @throws SuspensionException if its worker does not say
   */
  default SessionCalls calls() throws SuspensionException {
    return SessionCalls.UNKNOWN;
  }

  /**
   * Returns the session's present activity.
   *
   * @throws SuspensionException if its worker does not say
   */
  default SessionActivity activity() throws SuspensionException {
    return SessionActivity.UNKNOWN;
  }

  /**
   * Holds its calls back, and puts aside what it has on its devices, whose memory is free then. Its
   * client is told nothing: a call just takes longer, until {@link #resume}.
   *
   * @param patience how long calls and work that are under way may still take
   * @param wanted is run when a call waits, perhaps before this returns; it may not block
   * @return bytes that are put aside, or more
   * @throws SuspensionException if that is not possible: it goes on as it was
   */
  default long suspend(Duration patience, Runnable wanted) throws SuspensionException {
    throw new SuspensionException("it cannot be suspended");
  }

  /** Has somebody told when a call of it waits, of one that another daemon has suspended. */
  default void onWanted(Runnable wanted) throws SuspensionException {}

  /**
   * Whether what was put aside can be brought back to other devices of the same model.
   *
   * @throws SuspensionException if that cannot be found out
   */
  default boolean canMove() throws SuspensionException {
    return false;
  }

  /**
   * Brings back what was put aside, and lets its calls through; nothing where it is not suspended.
   *
   * @param moves what goes to other devices than it was on; the rest goes where it was
   * @throws SuspensionException if that is not possible now; it may be later
   */
  default void resume(List<DeviceMove> moves) throws SuspensionException {}

  /** Has its program told something, in a line on its standard error, also if it is away. */
  default void tell(String line) {}

  /** Ends it at once, whatever it does; {@code why} is for the log. */
  void stop(String why);
}
