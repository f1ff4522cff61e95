// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.watch;

import io.outboard.cli.command.Failure;
import io.outboard.cli.lease.LeaseClient;
import io.outboard.cli.lease.LeaseRow;
import io.outboard.lease.Form;
import java.util.List;

/**
 * A backend at a moment.
 *
 * @param nanos when
 * @param devices with what is given away of them
 * @param joined devices of other hosts that programs have too, as they were when it began
 * @param leases that are not over
 * @param sessions with what they have done
 * @param totals what all have done
 */
record Snapshot(
    long nanos,
    List<Form> devices,
    List<Form> joined,
    List<Form> leases,
    List<Form> sessions,
    Form totals) {
  /** Asks. */
  static Snapshot of(LeaseClient backend) throws Failure {
    return new Snapshot(
        System.nanoTime(),
        backend.ask("devices", new Form()),
        backend.ask("joined", new Form()),
        backend.ask("leases", new Form()),
        backend.ask("sessions", new Form()),
        backend.ask("figures", new Form()).getFirst());
  }

  /** Devices that have failed. */
  long failed() {
    return devices.stream().filter(device -> !device.get("failed").isEmpty()).count();
  }

  /** Leases that wait for devices. */
  long waiting() {
    return leases.stream().map(LeaseRow::new).filter(LeaseRow::isWaiting).count();
  }
}
