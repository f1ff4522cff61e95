// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.warmup;

import io.outboard.backend.library.Allotment;
import io.outboard.backend.quota.QuotaPage;
import io.outboard.backend.system.EventCount;
import java.io.IOException;
import java.util.List;

/** A lease's limits for a warm-up session: more memory than anybody takes, and all of the time. */
final class WarmUpLimits implements AutoCloseable {
  private static final long PLENTY = 1L << 60;

  /** The first time slice that is asked for. */
  private static final long FIRST = 1;

  private final QuotaPage page;
  private final EventCount events;

  private WarmUpLimits(QuotaPage page, EventCount events) {
    this.page = page;
    this.events = events;
  }

  static WarmUpLimits create() throws IOException {
    QuotaPage page = QuotaPage.create(List.of(PLENTY));
    page.slice(0, 0).grant(FIRST);
    return new WarmUpLimits(page, EventCount.create());
  }

  Allotment allotment() {
    Allotment.Gpu gpu = new Allotment.Gpu(0, "warm-up");
    return new Allotment(List.of(gpu), page.descriptor(), 0, events.descriptor(), Allotment.WHOLE);
  }

  @Override
  public void close() {
    page.close();
    events.close();
  }
}
