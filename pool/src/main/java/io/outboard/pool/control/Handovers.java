// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.control;

import io.outboard.lease.Form;
import io.outboard.lease.Gpu;
import io.outboard.lease.Lease;
import io.outboard.lease.LeaseException;
import io.outboard.lease.LeaseMode;
import io.outboard.lease.Slice;
import java.util.stream.Stream;

/** Facts for a user who gets devices to use them natively. */
final class Handovers {
  private final HostDevices host;

  Handovers(HostDevices host) {
    this.host = host;
  }

  /**
   * The devices of a lease, as rows of a control connection.
   *
   * @throws LeaseException if it has none that are handed over
   */
  Stream<Form> of(Lease lease) throws LeaseException {
    LeaseMode mode = lease.request().mode();
    if (!mode.handsOver() || !lease.state().holds()) {
      throw new LeaseException(
          "lease %s is %s, in mode %s: it hands no GPUs over"
              .formatted(lease.id(), lease.state().label(), mode.label()));
    }
    return lease.gpus().stream().map(this::row);
  }

  private Form row(Gpu gpu) {
    return host.find(gpu)
        .into(
            new Form()
                .with("number", gpu.number())
                .with("uuid", gpu.uuid())
                .with("model", gpu.model())
                .with("profile", gpu.profile())
                .with("cdi", gpu.slice().map(Slice::place).orElse(gpu.uuid())));
  }
}
