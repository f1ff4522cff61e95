// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.system;

import io.outboard.communicator.posix.CallFilters;
import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.posix.Processes;

/** The first steps of each process that the daemon starts. */
public final class ProcessHardening {
  private static final int NO_SIGNAL = 0;

  private ProcessHardening() {}

  /**
   * Has it end with the daemon, hides it from other processes of its user, and lets nothing that it
   * starts have more rights than it has. After a change of the user, which would undo some of it.
   *
   * <p>The virtual machine has made threads already, each of which has its rights for itself. A
   * filter of calls reaches them all, also one that refuses nothing.
   */
  public static void confine() {
    Processes.hide();
    Processes.setParentDeathSignal(Processes.SIGKILL);
    int result = CallFilters.install(FilterProgram.empty());
    if (result < 0) {
      Log.warn(
          "some threads may gain privileges by an exec: this kernel or container permits no seccomp"
              + " filter (%s)".formatted(Errno.text(-result)));
    }
  }

  /** It need not end with the daemon any more. */
  public static void outlive() {
    Processes.setParentDeathSignal(NO_SIGNAL);
  }
}
