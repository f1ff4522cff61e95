// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.lease;

import io.outboard.cli.command.Quantities;
import io.outboard.cli.command.TenantName;
import io.outboard.lease.Architecture;
import io.outboard.lease.Form;
import io.outboard.lease.LeaseRequest;
import io.outboard.lease.ServiceClass;
import java.time.Duration;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of all commands that ask for a lease. */
public final class LeaseOptions {
  @Option(
      names = "--gpus",
      paramLabel = "N",
      defaultValue = "1",
      description = "How many. Default: ${DEFAULT-VALUE}")
  private int gpus;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      defaultValue = "1",
      description = {
        "On how many nodes of a pool they may be: a program has the GPUs of all of them. As few as",
        "possible; with --spread as many, in equal parts. Default: ${DEFAULT-VALUE}"
      })
  private int mostNodes;

  @Option(
      names = "--model",
      paramLabel = "NAME",
      defaultValue = "",
      description = "Only those with this in their name, as H200.")
  private String model;

  @Option(
      names = "--arch",
      paramLabel = "NAME",
      converter = Generation.class,
      completionCandidates = Generation.Names.class,
      description = "Only those of this generation: ${COMPLETION-CANDIDATES}.")
  private Architecture architecture;

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      converter = Quantities.Size.class,
      description = {
        "Memory of each, as 20GiB, for all programs of the lease together; more is refused, and"
            + " the",
        "GPU looks that large. Default: the share of it."
      })
  private Long memory;

  @Option(
      names = "--share",
      paramLabel = "S",
      defaultValue = "1",
      converter = Quantities.Share.class,
      description = {
        "How much of each, as 0.2 or 20%%: leases whose shares and memory fit together",
        "share a GPU, whose time they get in proportion; what one does not use, others get.",
        "'renew' changes it. Default: the whole."
      })
  private int share;

  @Option(
      names = "--idle-suspend",
      paramLabel = "TIME",
      converter = Quantities.Time.class,
      description = {
        "Suspends it when its programs have made no call for so long, as 10m, with nothing at work",
        "for them: the next call resumes it. The backend may do so earlier."
      })
  private Duration idleSuspend = Duration.ZERO;

  @Option(
      names = "--idle-revoke",
      paramLabel = "TIME",
      converter = Quantities.Time.class,
      description = "Ends it after so long. The backend may do so earlier.")
  private Duration idleRevoke = Duration.ZERO;

  @Option(
      names = "--grace",
      paramLabel = "TIME",
      converter = Quantities.TimeOrNone.class,
      description = {
        "How long a program of it whose connection is lost may take to come back; 0: it ends at"
            + " once.",
        "At most what 'serve --grace-limit' says. Default: what 'serve --grace' says."
      })
  private Duration grace;

  @Option(
      names = "--tenant",
      paramLabel = "NAME",
      converter = TenantName.class,
      defaultValue = LeaseRequest.DEFAULT_TENANT,
      description = "On whose account. Default: ${DEFAULT-VALUE}")
  private String tenant;

  @Option(
      names = "--priority",
      paramLabel = "N",
      defaultValue = "0",
      description = "Higher ones get GPUs first. Default: ${DEFAULT-VALUE}")
  private int priority;

  @Option(
      names = "--class",
      paramLabel = "CLASS",
      defaultValue = "shared",
      description = {
        "guaranteed: before all others, for operators to ask for. shared: as soon as there is room.",
        "spare: what nobody else wants; it is suspended when a better class wants its GPUs, and goes",
        "on afterwards. Default: ${DEFAULT-VALUE}"
      })
  private ServiceClass service;

  @Option(
      names = "--within",
      paramLabel = "TIME",
      converter = Quantities.Time.class,
      description = {
        "A guaranteed lease is to be granted in this time, as 10m, from now or from its date on;"
            + " those",
        "with less time come first. 'usage --missed' shows which were not, and why."
      })
  private Duration within = Duration.ZERO;

  @Mixin private IdentityOptions identity;

  @Option(
      names = "--spread",
      description = "Prefers the emptiest GPUs that have room, not the fullest.")
  private boolean spread;

  /**
   * The request as far as these options say it; the rest is the command's own. An older backend
   * knows nothing of classes, targets and several nodes, and is told where that matters.
   */
  public Form form() {
    Form form = plain();
    if (!within.isZero()) {
      form.with("within", within.toSeconds());
    }
    if (mostNodes != 1) {
      form.with("mostNodes", mostNodes);
    }
    return service == ServiceClass.SHARED ? form : form.with("class", service.label());
  }

  private Form plain() {
    return identity
        .into(new Form())
        .with("tenant", tenant)
        .with("consumer", "user " + System.getProperty("user.name"))
        .with("gpus", gpus)
        .with("model", model)
        .with("arch", architecture == null ? "" : architecture.label())
        .with("memory", memory == null ? 0 : memory)
        .with("share", share)
        .with("priority", priority)
        .with("idleSuspend", idleSuspend.toSeconds())
        .with("idleRevoke", idleRevoke.toSeconds())
        .with("grace", grace == null ? "" : grace.toSeconds())
        .with("placement", spread ? "spread" : "pack");
  }
}
