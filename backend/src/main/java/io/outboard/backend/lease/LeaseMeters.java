// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.lease;

import io.outboard.backend.library.LibraryInstance;
import io.outboard.backend.library.SessionContext;
import io.outboard.backend.quota.SessionCredit;
import io.outboard.wire.Meter;
import java.util.Arrays;

/** The meters of a session's libraries: one each, whatever the library is. */
public final class LeaseMeters {
  private final SessionContext context;
  // Replaced as a whole: threads that run calls read it without a lock.
  private volatile LeaseMeter[] meters = {};

  public LeaseMeters(SessionContext context) {
    this.context = context;
  }

  /** The meter that a library's calls pass; none that counts where the session has no limits. */
  public Meter of(LibraryInstance library) {
    return context.allotment().isLimited() ? limited(library) : Meter.FREE;
  }

  private Meter limited(LibraryInstance library) {
    LeaseMeter known = find(library);
    return known != null ? known : make(library);
  }

  private LeaseMeter find(LibraryInstance library) {
    for (LeaseMeter meter : meters) {
      if (meter.isOf(library)) {
        return meter;
      }
    }
    return null;
  }

  private synchronized LeaseMeter make(LibraryInstance library) {
    LeaseMeter known = find(library);
    if (known != null) {
      return known;
    }
    LeaseMeter made = new LeaseMeter(library, context, SessionCredit.of(context).orElseThrow());
    LeaseMeter[] more = Arrays.copyOf(meters, meters.length + 1);
    more[meters.length] = made;
    meters = more;
    return made;
  }

  /** A handle of the session has ended. */
  public void ended(long handle) {
    for (LeaseMeter meter : meters) {
      meter.over(handle);
    }
  }
}
