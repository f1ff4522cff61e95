// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.slices;

import io.outboard.backend.library.SessionContext;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The part of time slices that a suspension needs of a session. */
public final class SessionSlices {
  private final List<SliceMeter> meters = new CopyOnWriteArrayList<>();

  /** A session's. */
  public static SessionSlices of(SessionContext context) {
    return context.shared(SessionSlices.class, SessionSlices::new);
  }

  void add(SliceMeter meter) {
    meters.add(meter);
  }

  /** The session is over: nobody is at the lease's memory any more when this returns. */
  public void end() throws InterruptedException {
    for (SliceMeter meter : meters) {
      meter.close();
    }
  }

  /** As {@link SliceMeter#rest}, of all devices. */
  public boolean rest() {
    return meters.stream().filter(meter -> !meter.rest()).findFirst().isEmpty();
  }
}
