// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.supervision;

import io.outboard.backend.launch.WorkerProcess;
import io.outboard.backend.suspend.DeviceMove;
import io.outboard.backend.suspend.Suspension;
import io.outboard.backend.suspend.SuspensionException;
import io.outboard.backend.system.Log;
import io.outboard.backend.worker.SessionOrders;
import io.outboard.backend.worker.SessionOrders.Order;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Suspends one session and resumes it, as often as one likes. */
final class SessionSuspension implements AutoCloseable {
  private final WorkerProcess worker;
  private final Suspensions means;
  // All of these are guarded by this object's monitor.
  private SessionControl control;
  private Suspension suspended;
  private long taken;

  SessionSuspension(WorkerProcess worker, Suspensions means) {
    this.worker = worker;
    this.means = means;
  }

  private SessionControl control() throws SuspensionException {
    try {
      if (control == null) {
        control = SessionControl.open(worker);
      }
      return control;
    } catch (IOException e) {
      throw SuspensionException.over(e);
    }
  }

  /** Returns the session's present activity. */
  synchronized SessionActivity activity() throws SuspensionException {
    String[] said = words(control().order(Order.PROBE));
    return new SessionActivity(!said[0].equals(SessionOrders.IDLE), number(said));
  }

  /** Returns the session's calls. */
  synchronized SessionCalls calls() throws SuspensionException {
    return SessionCalls.of(control().order(Order.FUNCTIONS));
  }

  /** As {@link ServedSession#suspend}. */
  synchronized long suspend(Duration patience, Runnable wanted) throws SuspensionException {
    control().onWanted(wanted);
    String[] held = words(control.order(Order.HOLD, patience));
    try {
      boolean drivers = held[0].equals(SessionOrders.DRIVER);
      putAside(
          drivers ? means.ofDriver(control, worker.pid(), patience) : new OwnSuspension(control),
          number(held));
      return taken;
    } catch (SuspensionException e) {
      goOn();
      throw e;
    }
  }

  private void putAside(Suspension how, long bytes) throws SuspensionException {
    means.take(bytes);
    taken = bytes;
    how.putAside();
    suspended = how;
  }

  /** Finds what another daemon has put aside. */
  synchronized void takeOver() throws SuspensionException {
    String[] said = words(control().order(Order.ASIDE));
    switch (said[0]) {
      case SessionOrders.DRIVER ->
          putAside(means.ofDriver(control, worker.pid(), Duration.ZERO), said);
      case SessionOrders.OWN -> putAside(new OwnSuspension(control), said);
      default -> Log.debug("nothing of the session is put aside");
    }
  }

  private void putAside(Suspension how, String[] said) throws SuspensionException {
    means.take(number(said));
    taken = number(said);
    suspended = how;
  }

  /** Has somebody told when a call of it waits. */
  synchronized void onWanted(Runnable wanted) throws SuspensionException {
    control().onWanted(wanted);
    String unused = control.order(Order.ASIDE);
  }

  /** As {@link ServedSession#tell}. */
  synchronized void tell(String line) throws SuspensionException {
    String unused = control().tell(line);
  }

  /** As {@link ServedSession#canMove}. */
  synchronized boolean canMove() throws SuspensionException {
    return suspended != null && suspended.canMove();
  }

  /** As {@link ServedSession#resume}; returns whether it was suspended. */
  synchronized boolean resume(List<DeviceMove> moves) throws SuspensionException {
    boolean was = suspended != null;
    if (was) {
      suspended.bringBack(moves);
      suspended = null;
      goOn();
    }
    return was;
  }

  private void goOn() throws SuspensionException {
    close();
    control.order(Order.GO_ON);
  }

  private static String[] words(String said) throws SuspensionException {
    String[] words = said.split(" ", -1);
    if (words.length != 2) {
      throw new SuspensionException("its worker says something that is not understood");
    }
    return words;
  }

  private static long number(String[] said) throws SuspensionException {
    try {
      return Math.max(0, Long.parseLong(said[1]));
    } catch (NumberFormatException e) {
      throw new SuspensionException("its worker says something that is not understood", e);
    }
  }

  /** The session has ended, or has everything back: state that was put aside takes no room. */
  @Override
  public synchronized void close() {
    means.give(taken);
    taken = 0;
  }
}
