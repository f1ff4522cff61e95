// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.slices;

import io.outboard.backend.library.Allotment;
import io.outboard.backend.library.SessionContext;
import io.outboard.backend.quota.MemoryCredit;
import io.outboard.backend.system.EventCount;
import io.outboard.cuda.CudaDriver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** The meters of a session's devices, which all of its libraries have in common. */
public final class SessionSlices {
  private volatile List<SliceMeter> meters = List.of();
  private volatile CudaDriver driver;

  /** A session's. */
  public static SessionSlices of(SessionContext context) {
    return context.shared(SessionSlices.class, SessionSlices::new);
  }

  /** A meter for each device of a lease that shares its devices; made when first asked for. */
  public synchronized List<SliceMeter> meters(SessionContext context, MemoryCredit credit) {
    if (meters.isEmpty()) {
      meters = List.copyOf(make(context.allotment(), credit));
    }
    return meters;
  }

  /** The same for CUDA, whose work the driver tells of. */
  List<SliceMeter> meters(SessionContext context, MemoryCredit credit, CudaDriver cuda) {
    driver = cuda;
    return meters(context, credit);
  }

  private List<SliceMeter> make(Allotment allotment, MemoryCredit credit) {
    try {
      EventCount events = EventCount.map(allotment.events());
      List<SliceMeter> made = new ArrayList<>();
      for (int gpu = 0; gpu < allotment.gpus().size(); gpu++) {
        made.add(new SliceMeter(() -> driver, credit.slice(gpu), events));
      }
      return made;
    } catch (IOException e) {
      throw new UncheckedIOException("the lease's time slices are not known", e);
    }
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
