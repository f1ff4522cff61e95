// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.supervision;

import io.outboard.backend.library.Allotment;
import java.util.List;
import java.util.OptionalInt;

/** A client that is served, as the {@link Admission} that admitted it follows it. */
public interface Admitted {
  /** One that gets everything. */
  Admitted WITHOUT_LIMIT = new Admitted() {};

  /** Returns the devices and limits that the client gets. */
  default Allotment allotment() {
    return Allotment.EVERYTHING;
  }

  /** The lease that it uses; empty where leases are not used. */
  default String lease() {
    return "";
  }

  /** How long its client may be away; none for the backend's time. */
  default OptionalInt graceSeconds() {
    return OptionalInt.empty();
  }

  /**
   * The other hosts whose devices are of its lease too, in the order of their devices; it is served
   * with all of them, or not at all.
   */
  default List<HostAccess> others() {
    return List.of();
  }

  /** A worker serves it. */
  default void started(ServedSession session) {}

  /** The worker has ended, or none could be had: all figures are 0 then. */
  default void ended(SessionFigures figures) {}
}
