// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.offload;

import io.outboard.cli.command.Failure;
import io.outboard.cli.lease.HeldLease;
import io.outboard.cli.lease.KeeperOptions;
import io.outboard.cli.lease.Leasing;
import io.outboard.lease.Form;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Workers on leases, of one each: the backend that has the lease runs them. */
final class LeasedWorkers implements Workforce {
  private final Leasing leasing;
  private final List<HeldLease> held = new ArrayList<>();

  private LeasedWorkers(Leasing leasing) {
    this.leasing = leasing;
  }

  /**
   * Asks for leases, one after the other, and waits for them.
   *
   * @param request what each is to have
   */
  static LeasedWorkers take(
      Leasing leasing, KeeperOptions keeping, int count, Supplier<Form> request) throws Failure {
    LeasedWorkers workers = new LeasedWorkers(leasing);
    try {
      for (int i = 0; i < count; i++) {
        workers.held.add(keeping.take(leasing, request.get()));
      }
      return workers;
    } catch (Failure e) {
      workers.close();
      throw e;
    }
  }

  @Override
  public List<String> lines() throws Failure {
    List<String> lines = new ArrayList<>();
    for (HeldLease one : held) {
      String place = leasing.place(one.row());
      if (!place.startsWith("tcp:") && !place.startsWith("tls:")) {
        throw new Failure(
            place + " is for programs of this machine: --on names the backend by tcp:// or tls://");
      }
      lines.add(place + " " + one.row().token());
    }
    return lines;
  }

  @Override
  public void close() {
    held.forEach(HeldLease::close);
  }
}
