// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.lease;

import io.outboard.cli.command.Answer;
import io.outboard.cli.command.Failure;
import io.outboard.cli.command.Output;
import io.outboard.cli.command.Quantities;
import io.outboard.cli.command.ShellWords;
import io.outboard.cli.command.Undo;
import io.outboard.cli.command.Version;
import io.outboard.lease.Form;
import io.outboard.lease.LeaseMode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** {@code outboard lease}. */
@Command(
    name = "lease",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = {
      "Leases GPUs of a backend: programs that use the lease see these, and no others have them.",
      "Waits until they are free. Prints the lease for people, and for the shell the variables",
      "that make programs use it: eval \"$(outboard lease --gpus 1 --for 8h)\".",
      "With a program behind '--', runs that with the lease, and gives it back when the program",
      "has ended: outboard lease --gpus 1 -- python train.py."
    })
public final class LeaseCommand implements Callable<Integer> {
  /** For programs that look after the process that holds their lease: nobody tells them its end. */
  private static final String HOLDER = "OUTBOARD_HOLDER";

  private static final Duration HOUR = Duration.ofHours(1);

  @Spec private CommandSpec spec;
  @Mixin private LeaseClient backend;
  @Mixin private Output output;
  @Mixin private LeaseOptions options;
  @Mixin private KeeperOptions keeping;
  @Mixin private MachineOptions machine;

  @Option(
      names = "--for",
      paramLabel = "TIME",
      converter = Quantities.Time.class,
      description = {
        "How long, as 90s, 30m, 8h, 2d; 'renew' makes it longer. Default: 1h; with a program,",
        "until that has ended."
      })
  private Duration time;

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
      names = "--detach",
      description = {
        "Does not wait: prints the id, by which 'leases' shows the lease and its token. Without"
            + " this",
        "a request ends with this command, and a lease that it got by then is given back."
      })
  private boolean detach;

  @Option(
      names = "--from",
      paramLabel = "MOMENT",
      converter = Quantities.Moment.class,
      description = {
        "From then on, as 2026-12-24 or 2026-12-24T18:00:00Z: the GPUs are kept for it. Does not"
            + " wait,",
        "as --detach."
      })
  private Instant begin = Instant.EPOCH;

  @Option(
      names = "--by",
      paramLabel = "MOMENT",
      converter = Quantities.Moment.class,
      description = {
        "A guaranteed lease is to have had its time by then: it is to be granted so much earlier,",
        "as with --within."
      })
  private Instant by;

  @Option(
      names = "--stop-program",
      description = {
        "Ends the program, by SIGTERM, when the lease is over before it, as one that is revoked.",
        "Without this the program's calls fail."
      })
  private boolean stopProgram;

  @Option(
      names = "--explain",
      description = {
        "Asks for nothing: says what would be granted now, or else why not, when at the latest,",
        "and what could be had now. 'leases ID --explain' does so for a request that waits."
      })
  private boolean explain;

  @Parameters(
      paramLabel = "-- PROGRAM [ARGUMENTS]",
      arity = "0..*",
      description = "What to run with the lease.")
  private final List<String> program = new ArrayList<>();

  @Override
  public Integer call() throws Failure {
    if (!machine.mistake().isEmpty()) {
      throw new ParameterException(spec.commandLine(), machine.mistake());
    }
    if (machine.isAsked()) {
      return LeaseClient.understood(this::withMachine);
    }
    if (program.isEmpty()) {
      if (stopProgram) {
        throw new ParameterException(spec.commandLine(), "--stop-program is for a program alone");
      }
      return LeaseClient.understood(this::leased);
    }
    if (!keeping.hasLauncher()) {
      throw new UnmatchedArgumentException(spec.commandLine(), program);
    }
    if (time != null || isNotHeld()) {
      throw new ParameterException(
          spec.commandLine(),
          "--for, --from, --by, --explain, --detach, --json and other modes are not for a program");
    }
    return keeping.beside(new Leasing(backend, spec), this::keep);
  }

  private int withMachine() throws Failure {
    if (!program.isEmpty() || stopProgram || isNotHeld()) {
      throw new ParameterException(
          spec.commandLine(),
          "--from, --by, --explain, --detach, --json, other modes and programs are not for a"
              + " machine");
    }
    Leasing leasing = new Leasing(backend, spec);
    try (HeldLease held = keeping.take(leasing, options.form())) {
      Instant end = time == null ? Instant.MAX : Instant.now().plus(time);
      new LeasedMachine(leasing, held).run(machine, end);
    }
    return 0;
  }

  /** Whether something is said that is not for a lease that this process holds. */
  private boolean isNotHeld() {
    return detach || explain || isLater() || by != null || mode.handsOver() || output.isJson();
  }

  private void keep(Keeper keeper, Leasing leasing) throws Failure {
    try (HeldLease held = keeping.take(leasing, options.form())) {
      List<String> lines = new ArrayList<>(variables(held.row(), leasing));
      if (stopProgram) {
        lines.add(ShellWords.exported(HOLDER, Long.toString(ProcessHandle.current().pid())));
      }
      lines.add("start_program -- " + ShellWords.command(program));
      keeper.handOver(lines);
      if (stopProgram) {
        keeper.await(() -> leasing.isOver(held.row()));
      } else {
        keeper.await();
      }
    }
  }

  private int leased() throws Failure {
    if (explain) {
      output.print(new ExplanationRow(backend.ask("explain", request()).getFirst()).answer());
      return 0;
    }
    Leasing leasing = new Leasing(backend, spec);
    LeaseRow lease = leasing.ask(request());
    Undo undo = Undo.atTheEnd(() -> leasing.release(lease, "nobody got it"));
    try {
      print(lease, leasing);
    } catch (Failure e) {
      undo.forget();
      throw e;
    }
    undo.forget();
    return 0;
  }

  /** Whoever interrupts this command wants no lease: others have its place at once. */
  private void print(LeaseRow lease, Leasing leasing) throws Failure {
    if (detach || isLater()) {
      leasing.tell(lease.isWaiting() ? lease.outlook() : lease.sentence());
      Map<String, Object> object = lease.json();
      backend.site().ifPresent(site -> object.put("site", site.name()));
      output.print(new Answer(object, lease.id()));
      return;
    }
    LeaseRow granted = leasing.await(lease, keeping.patience());
    leasing.tell(granted.sentence());
    output.print(Answer.of(object(granted, leasing), variables(granted, leasing)));
  }

  /** The lease, and where programs use it. */
  private Map<String, Object> object(LeaseRow lease, Leasing leasing) throws Failure {
    Map<String, Object> object = lease.json();
    backend.site().ifPresent(site -> object.put("site", site.name()));
    if (!lease.handsOver()) {
      object.put("backend", leasing.place(lease));
      object.put("token", lease.token());
    }
    return object;
  }

  private static List<String> variables(LeaseRow lease, Leasing leasing) throws Failure {
    if (lease.handsOver()) {
      String uuids = String.join(",", lease.uuids());
      return List.of(
          ShellWords.exported("NVIDIA_VISIBLE_DEVICES", uuids),
          ShellWords.exported("CUDA_VISIBLE_DEVICES", uuids));
    }
    return leasing.exports(lease);
  }

  private Form request() {
    Form form = now();
    if (by != null) {
      form.with("within", within(form.number("seconds", 0)));
    }
    return isLater() ? form.with("begin", begin.toEpochMilli()) : form;
  }

  /** Seconds until it has to be granted. */
  private long within(long seconds) {
    Instant from = isLater() ? begin : Instant.now();
    long left = Duration.between(from, by).toSeconds() - seconds;
    if (left <= 0) {
      throw new ParameterException(spec.commandLine(), "there is not so much time until --by");
    }
    return left;
  }

  private boolean isLater() {
    return !begin.equals(Instant.EPOCH);
  }

  private Form now() {
    return options
        .form()
        .with("mode", mode.label())
        .with("profile", profile)
        .with("seconds", time == null ? HOUR.toSeconds() : time.toSeconds())
        .with("keep", detach || isLater() ? "0" : "");
  }
}
