// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import io.outboard.communicator.Processes;

/** What each process that the daemon starts does first. */
final class OwnProcess {
  private OwnProcess() {}

  /**
   * Has it end with the daemon, hides it from other processes of its user, and lets nothing that it
   * starts have more rights than it has. After a change of the user, which would undo some of it.
   */
  static void confine() {
    Processes.hide();
    Processes.setParentDeathSignal(Processes.SIGKILL);
    Processes.setNoNewPrivileges();
  }
}
