// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.lease;

import io.outboard.cli.command.Answer;
import io.outboard.cli.command.Failure;
import io.outboard.cli.command.Output;
import io.outboard.cli.command.Quantities;
import io.outboard.cli.command.TenantName;
import io.outboard.cli.command.Undo;
import io.outboard.cli.command.Version;
import io.outboard.lease.Architecture;
import io.outboard.lease.Form;
import io.outboard.lease.LeaseMode;
import io.outboard.lease.LeaseRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code outboard lease}. */
@Command(
    name = "lease",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = {
      "Leases GPUs of a backend: programs that use the lease see these, and no others have them.",
      "Waits until they are free. Prints the lease for people, and for the shell the variables",
      "that make programs use it: eval \"$(outboard lease --gpus 1 --for 8h)\"."
    })
public final class LeaseCommand implements Callable<Integer> {
  private static final long LOOK_MS = 500;

  @Spec private CommandSpec spec;
  @Mixin private LeaseClient backend;
  @Mixin private Output output;

  @Option(
      names = "--gpus",
      paramLabel = "N",
      defaultValue = "1",
      description = "How many. Default: ${DEFAULT-VALUE}")
  private int gpus;

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
        "How much of each, as 0.2 or 20%: leases whose shares and memory fit together",
        "share a GPU, whose time they get in proportion; what one does not use, others get.",
        "'renew' changes it. Default: the whole."
      })
  private int share;

  @Option(
      names = "--for",
      paramLabel = "TIME",
      defaultValue = "1h",
      converter = Quantities.Time.class,
      description =
          "How long, as 90s, 30m, 8h, 2d; 'renew' makes it longer. Default: ${DEFAULT-VALUE}")
  private Duration time;

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

  @Mixin private IdentityOptions identity;

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      defaultValue = "remote",
      description = {
        "remote: for programs that the backend serves. device: whole GPUs for a container or a",
        "virtual machine of its host, which nobody else has until they are released; 'handover'",
        "says what that needs. mig: the same with slices of GPUs that are cut (MIG), for",
        "containers. Default: ${DEFAULT-VALUE}"
      })
  private LeaseMode mode;

  @Option(
      names = "--profile",
      paramLabel = "NAME",
      defaultValue = "",
      description = "Only slices of this profile, as 1g.18gb.")
  private String profile;

  @Option(
      names = "--spread",
      description = "Prefers the emptiest GPUs that have room, not the fullest.")
  private boolean spread;

  @Option(
      names = "--wait",
      paramLabel = "TIME",
      converter = Quantities.Time.class,
      description = "Gives the request up when nothing is free for so long. Default: never.")
  private Duration patience;

  @Option(
      names = "--detach",
      description = {
        "Does not wait: prints the id, by which 'leases' shows the lease and its token. Without"
            + " this",
        "a request ends with this command, and a lease that it got by then is given back."
      })
  private boolean detach;

  @Override
  public Integer call() throws Failure {
    LeaseRow lease = backend.askOne("lease", request());
    Undo undo = Undo.atTheEnd(() -> release(lease, "nobody got it"));
    try {
      print(lease);
    } catch (Failure e) {
      undo.forget();
      throw e;
    }
    undo.forget();
    return 0;
  }

  /** Whoever interrupts this command wants no lease: others have its place at once. */
  private void print(LeaseRow lease) throws Failure {
    if (detach) {
      tell(lease.isWaiting() ? lease.outlook() : lease.sentence());
      output.print(new Answer(lease.json(), lease.id()));
      return;
    }
    LeaseRow granted = lease.isPending() ? awaitGrant(lease) : lease;
    tell(granted.sentence());
    output.print(Answer.of(object(granted), variables(granted)));
  }

  /** The lease, and where programs use it. */
  private Map<String, Object> object(LeaseRow lease) throws Failure {
    Map<String, Object> object = lease.json();
    if (!lease.handsOver()) {
      object.put("backend", place(lease));
      object.put("token", lease.token());
    }
    return object;
  }

  /** Straight at the node that has its devices. */
  private String place(LeaseRow lease) throws Failure {
    return lease.backend().isEmpty() ? backend.endpoint() : lease.backend();
  }

  private List<String> variables(LeaseRow lease) throws Failure {
    if (lease.handsOver()) {
      String uuids = String.join(",", lease.uuids());
      return List.of(
          "export NVIDIA_VISIBLE_DEVICES=" + uuids, "export CUDA_VISIBLE_DEVICES=" + uuids);
    }
    return List.of(
        "export OUTBOARD=" + quoted(place(lease)), "export OUTBOARD_TOKEN=" + lease.token());
  }

  private Form request() {
    return identity
        .into(new Form())
        .with("tenant", tenant)
        .with("consumer", "user " + System.getProperty("user.name"))
        .with("gpus", gpus)
        .with("model", model)
        .with("arch", architecture == null ? "" : architecture.label())
        .with("memory", memory == null ? 0 : memory)
        .with("share", share)
        .with("mode", mode.label())
        .with("profile", profile)
        .with("priority", priority)
        .with("seconds", time.toSeconds())
        .with("idleSuspend", idleSuspend.toSeconds())
        .with("idleRevoke", idleRevoke.toSeconds())
        .with("grace", grace == null ? "" : grace.toSeconds())
        .with("keep", detach ? "0" : "")
        .with("placement", spread ? "spread" : "pack");
  }

  private void release(LeaseRow lease, String why) {
    try {
      LeaseRow unused = backend.askOne("release", named(lease).with("reason", why));
    } catch (Failure e) {
      tell("lease " + lease.id() + " is not given back: " + e.getMessage());
    }
  }

  private LeaseRow awaitGrant(LeaseRow asked) throws Failure {
    Instant limit = patience == null ? Instant.MAX : Instant.now().plus(patience);
    LeaseRow lease = asked;
    String told = "";
    while (lease.isPending()) {
      if (!lease.outlook().equals(told)) {
        told = lease.outlook();
        tell(told);
      }
      if (Instant.now().isAfter(limit)) {
        release(lease, "not waited for");
        throw new Failure("no GPUs were free within " + patience.toSeconds() + " seconds");
      }
      pause();
      lease = backend.askOne("find", named(lease));
    }
    if (!lease.isGranted()) {
      throw new Failure("lease " + lease.id() + " is " + lease.state());
    }
    return lease;
  }

  private static Form named(LeaseRow lease) {
    return new Form().with("id", lease.id());
  }

  private static void pause() throws Failure {
    try {
      TimeUnit.MILLISECONDS.sleep(LOOK_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Failure("interrupted");
    }
  }

  private void tell(String line) {
    spec.commandLine().getErr().println("outboard: " + line);
    spec.commandLine().getErr().flush();
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }
}
