// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.broker;

import io.outboard.backend.library.Allotment;
import io.outboard.backend.supervision.Admitted;
import io.outboard.backend.supervision.HostAccess;
import io.outboard.backend.supervision.ServedSession;
import io.outboard.backend.supervision.SessionFigures;
import io.outboard.backend.supervision.Survivor;
import io.outboard.lease.LeaseException;
import java.util.List;

/** A session of a lease that has outlived the process of its broker, until the next one has it. */
public final class Inherited implements Admitted {
  private final Survivor survivor;
  // All of these are guarded by this object's monitor.
  private ServedSession served;
  private Admitted session;
  private boolean over;

  public Inherited(Survivor survivor) {
    this.survivor = survivor;
  }

  @Override
  public String lease() {
    return survivor.lease();
  }

  @Override
  public Allotment allotment() {
    return survivor.allotment();
  }

  @Override
  public synchronized List<HostAccess> others() {
    return session == null ? List.of() : session.others();
  }

  @Override
  public synchronized void started(ServedSession one) {
    served = one;
    if (session != null) {
      session.started(one);
    }
  }

  @Override
  public void ended(SessionFigures figures) {
    Admitted known = end();
    if (known != null) {
      known.ended(figures);
    }
  }

  private synchronized Admitted end() {
    over = true;
    return session;
  }

  /** Whether it still goes on. */
  synchronized boolean isAlive() {
    return !over;
  }

  /** A broker has it from now on; without its lease it ends. */
  synchronized void join(Broker broker) {
    try {
      if (!over) {
        session = broker.admissions().inherit(survivor.lease(), survivor.allotment());
        if (served != null) {
          session.started(served);
        }
      }
    } catch (LeaseException e) {
      if (served != null) {
        served.stop(e.getMessage());
      }
    }
  }
}
