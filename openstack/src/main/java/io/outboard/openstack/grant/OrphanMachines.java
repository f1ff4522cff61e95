// SPDX-License-Identifier: Apache-2.0
package io.outboard.openstack.grant;

import io.outboard.openstack.cloud.LeaseMachines;
import io.outboard.openstack.cloud.LeaseMachines.Found;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Ends machines that were made for a lease which is over, as the command that has made them may
 * have been killed. Somebody who says so of a machine of his own has that one ended, and no other.
 */
public final class OrphanMachines {
  private final LeaseMachines machines;
  private final Leases leases;

  /** The leases that are known. */
  @FunctionalInterface
  public interface Leases {
    /** Whether one was there and is over. */
    boolean isOver(String id) throws IOException;
  }

  public OrphanMachines(LeaseMachines machines, Leases leases) {
    this.machines = machines;
    this.leases = leases;
  }

  /**
   * Looks once.
   *
   * @return what was done, for the log
   */
  public List<String> look() throws IOException {
    List<String> done = new ArrayList<>();
    for (Found machine : machines.all()) {
      if (leases.isOver(machine.lease())) {
        machines.delete(machine.id());
        done.add(
            "machine %s is deleted: its lease %s is over".formatted(machine.id(), machine.lease()));
      }
    }
    return done;
  }
}
