// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.lease;

import io.outboard.cli.command.Failure;
import io.outboard.cli.machine.CallDoor;
import io.outboard.cli.machine.Machine;
import io.outboard.cli.machine.MachineFolders;
import io.outboard.client.find.Backends;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/**
 * A machine with a lease, from its start to its end. Machine and lease end together: where this
 * process is killed, the kernel ends the machine and the lease lapses; each minute it is looked
 * whether a machine of somebody who was killed is left.
 */
final class LeasedMachine {
  private static final Duration LOOK = Duration.ofMinutes(1);
  private static final long TICK_MS = 500;

  private final Leasing leasing;
  private final HeldLease held;
  private final MachineFolders folders = new MachineFolders(new Backends().stateFolder());
  private Machine machine;
  private boolean suspended;
  private Instant looked = Instant.now();

  /** One of a lease that is held. */
  LeasedMachine(Leasing leasing, HeldLease held) {
    this.leasing = leasing;
    this.held = held;
  }

  /**
   * Makes it, and returns when its time is over.
   *
   * @throws Failure if it ends by itself, or its lease does
   */
  void run(MachineOptions options, Instant end) throws Failure {
    LeaseRow row = held.row();
    try (MachineFolders.Held folder = folders.make(row.id())) {
      reconcile();
      machine = options.make(folder, row.id(), leasing.place(row), row.token());
      held.beforeRelease(() -> destroy(folder));
      try (Machine one = machine;
          CallDoor door = new CallDoor(options.calls(), this::awake)) {
        leasing.print("calls at " + text(door));
        leasing.tell("machine %s begins".formatted(held.row().id()));
        watch(one, door, options.idle(), end);
      }
    } catch (IOException e) {
      throw new Failure(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The folder has the lease's token. */
  private void destroy(MachineFolders.Held folder) throws Failure {
    machine.close();
    try {
      folder.close();
    } catch (IOException e) {
      throw new Failure(e);
    }
  }

  private static String text(CallDoor door) {
    return door.address().getHostString() + ":" + door.address().getPort();
  }

  private void watch(Machine one, CallDoor door, Duration idle, Instant end)
      throws Failure, IOException, InterruptedException {
    boolean told = false;
    while (Instant.now().isBefore(end)) {
      if (!one.isAlive()) {
        throw new Failure("the machine has ended: " + one.said());
      }
      if (!told && one.isReady()) {
        leasing.tell("the service takes calls");
        door.begin();
        told = true;
      }
      if (told && door.idle().compareTo(idle) >= 0) {
        suspend(door, idle);
      }
      if (looked.plus(LOOK).isBefore(Instant.now())) {
        reconcile();
      }
      TimeUnit.MILLISECONDS.sleep(TICK_MS);
    }
    leasing.tell("the machine's time is over");
  }

  private void reconcile() throws Failure, IOException {
    looked = Instant.now();
    for (String left : folders.reconcile()) {
      leasing.tell("machine %s, whose command was killed, is destroyed".formatted(left));
    }
    if (leasing.isOver(held.row())) {
      throw new Failure("lease %s is over, and so is its machine".formatted(held.row().id()));
    }
  }

  /** A call may have come meanwhile. */
  private synchronized void suspend(CallDoor door, Duration idle) throws IOException {
    if (suspended || door.idle().compareTo(idle) < 0) {
      return;
    }
    machine.suspend();
    suspended = true;
    leasing.suspend(held.row(), "its machine is suspended");
    leasing.tell("nobody calls: the machine is suspended");
  }

  /** Calls wait for each other's: only one has it go on. */
  private synchronized SocketAddress awake() throws IOException, InterruptedException {
    if (suspended) {
      try {
        leasing.resume(held.row());
      } catch (Failure e) {
        throw new IOException(e.getMessage(), e);
      }
      machine.resume();
      suspended = false;
      leasing.tell("a call: the machine goes on");
    }
    while (!machine.isReady()) {
      if (!machine.isAlive()) {
        throw new IOException("the machine has ended");
      }
      TimeUnit.MILLISECONDS.sleep(TICK_MS);
    }
    return machine.service();
  }
}
