// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.serve;

import io.outboard.cli.command.Quantities;
import io.outboard.lease.IdleLimits;
import io.outboard.lease.IdleStep;
import io.outboard.pool.idle.IdleEvent;
import java.net.URI;
import java.time.Duration;
import java.util.function.Consumer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What {@code serve} is to do about leases that are not used; each may be left out. */
final class IdleOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--idle-mark",
      paramLabel = "TIME",
      converter = Quantities.Time.class,
      description = {
        "Marks a lease as idle whose programs have made no call for so long (5m, say), with",
        "nothing at work for them."
      })
  private Duration mark;

  @Option(
      names = "--idle-notify",
      paramLabel = "TIME",
      converter = Quantities.Time.class,
      description = "Tells --idle-hook of one after so long.")
  private Duration tell;

  @Option(
      names = "--idle-hook",
      paramLabel = "URL",
      description = "What is told of idle leases, those suspended and revoked among them: JSON.")
  private URI hook;

  @Option(
      names = "--idle-suspend",
      paramLabel = "TIME",
      converter = Quantities.Time.class,
      description = "Suspends one after so long: its next call resumes it.")
  private Duration suspend;

  @Option(
      names = "--idle-revoke",
      paramLabel = "TIME",
      converter = Quantities.Time.class,
      description = "Revokes one after so long.")
  private Duration revoke;

  @Option(
      names = "--suspend-memory",
      paramLabel = "SIZE",
      converter = Quantities.Size.class,
      description = {
        "Most memory, of the host or its disk, for what suspended programs have on GPUs.",
        "Default: half of the host's memory."
      })
  private Long memory;

  IdleLimits limits() {
    if (tell != null && hook == null) {
      throw new ParameterException(spec.commandLine(), "--idle-notify wants an --idle-hook");
    }
    return IdleLimits.NONE
        .with(IdleStep.MARK, mark)
        .with(IdleStep.NOTIFY, tell)
        .with(IdleStep.SUSPEND, suspend)
        .with(IdleStep.REVOKE, revoke);
  }

  Consumer<IdleEvent> listener() {
    if (hook == null) {
      return _ -> {};
    }
    if (!"http".equals(hook.getScheme()) && !"https".equals(hook.getScheme())) {
      throw new ParameterException(spec.commandLine(), "--idle-hook is of http or https");
    }
    return new IdleHook(hook);
  }

  /** Bytes; null where nothing is said. */
  Long memory() {
    return memory;
  }

  /** Whether idle leases are suspended. */
  boolean suspends() {
    return suspend != null;
  }
}
