// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.quota;

import io.outboard.backend.library.Allotment;
import io.outboard.backend.library.SessionContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

/** The memory that a session may take, the same for each of its libraries. */
public final class SessionCredit {
  private final MemoryCredit credit;

  private SessionCredit(Allotment allotment) {
    try {
      credit = new MemoryCredit(QuotaPage.map(allotment.page()), allotment.slot());
    } catch (IOException e) {
      throw new UncheckedIOException("the lease's memory cannot be counted", e);
    }
  }

  /** None where the session has no limit. */
  public static Optional<MemoryCredit> of(SessionContext context) {
    Allotment allotment = context.allotment();
    return allotment.isLimited()
        ? Optional.of(
            context.shared(SessionCredit.class, () -> new SessionCredit(allotment)).credit)
        : Optional.empty();
  }
}
