// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.bound;

import io.outboard.backend.library.Allotment;
import io.outboard.backend.supervision.Admitted;
import io.outboard.backend.supervision.HostAccess;
import io.outboard.backend.supervision.ServedSession;
import io.outboard.backend.supervision.SessionFigures;
import java.util.List;
import java.util.OptionalInt;

/**
 * A session that is counted while it lasts.
 *
 * @param session the session
 * @param left runs when it has ended
 */
record CountedSession(Admitted session, Runnable left) implements Admitted {
  @Override
  public Allotment allotment() {
    return session.allotment();
  }

  @Override
  public String lease() {
    return session.lease();
  }

  @Override
  public OptionalInt graceSeconds() {
    return session.graceSeconds();
  }

  @Override
  public List<HostAccess> others() {
    return session.others();
  }

  @Override
  public void started(ServedSession served) {
    session.started(served);
  }

  @Override
  public void ended(SessionFigures figures) {
    try {
      session.ended(figures);
    } finally {
      left.run();
    }
  }
}
