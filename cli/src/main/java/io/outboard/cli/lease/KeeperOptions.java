// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.lease;

import io.outboard.cli.command.Failure;
import io.outboard.lease.Form;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The common part of the commands that run something with a lease, whose words stand last. */
public final class KeeperOptions {
  @Mixin private PatienceOption waiting;

  @Option(names = "--become", hidden = true)
  private Long launcher;

  /** The words behind the first that is no option are what is run, whatever they look like. */
  @Spec(Spec.Target.MIXEE)
  void setSpec(CommandSpec spec) {
    spec.parser().stopAtPositional(true);
  }

  /** How long to wait for GPUs; none: for ever. */
  public Optional<Duration> patience() {
    return waiting.patience();
  }

  /** Whether the launcher has started this process to stay beside it. */
  boolean hasLauncher() {
    return launcher != null;
  }

  /** Does something beside the launcher, as {@link Keeper#beside}. */
  public int beside(Leasing leasing, Keeper.Work work) throws Failure {
    return Keeper.beside(launcher, leasing, work);
  }

  /** Takes a lease to hold, and says which it is. */
  public HeldLease take(Leasing leasing, Form request) throws Failure {
    HeldLease held = HeldLease.take(leasing, request, patience());
    leasing.tell(held.row().sentence());
    return held;
  }
}
