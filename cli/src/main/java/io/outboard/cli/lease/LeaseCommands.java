// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.lease;

import io.outboard.api.json.Ordered;
import io.outboard.cli.command.Answer;
import io.outboard.cli.command.Failure;
import io.outboard.cli.command.Output;
import io.outboard.cli.command.Quantities;
import io.outboard.cli.command.Version;
import io.outboard.lease.Form;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The commands about leases that are there. */
public final class LeaseCommands {
  private LeaseCommands() {}

  /** One that asks the backend. */
  @Command(mixinStandardHelpOptions = true, versionProvider = Version.class)
  public abstract static class Asking implements Callable<Integer> {
    @Spec private CommandSpec spec;
    @Mixin private LeaseClient backend;
    @Mixin private Output output;

    public final LeaseClient backend() {
      return backend;
    }

    public final CommandSpec spec() {
      return spec;
    }

    public final Output output() {
      return output;
    }

    /** Answers once. */
    @Override
    public Integer call() throws Failure {
      print(LeaseClient.understood(this::answer));
      return 0;
    }

    /** Prints an answer. */
    protected void print(Answer answer) {
      output.print(answer);
    }

    /** Asks, and returns all that is to be printed. */
    protected abstract Answer answer() throws Failure;
  }

  /** {@code outboard leases}. */
  @Command(
      name = "leases",
      description = {
        "Prints the backend's leases, those of sessions without one too (their share is '-').",
        "With the id of one, that one."
      })
  public static final class Leases extends Asking {
    @Parameters(arity = "0..1", paramLabel = "LEASE", description = "Only this one.")
    private String id;

    @Option(names = "--all", description = "Also those that are over.")
    private boolean all;

    @Option(
        names = "--limit",
        paramLabel = "N",
        description = {
          "So many at most: those that are there first, then those that ended last. Standard error",
          "has the cursor of the next ones. Default: all."
        })
    private Integer limit;

    @Option(
        names = "--after",
        paramLabel = "CURSOR",
        description = "Only those behind it: what a --limit before has told.")
    private String after = "";

    @Option(names = "--token", description = "Only the token of the lease that is named.")
    private boolean token;

    @Option(
        names = "--place",
        description = {
          "Only that token and, behind a space, the URI where programs of the lease connect to, if",
          "that is another node than the one that is asked."
        })
    private boolean place;

    @Option(
        names = "--explain",
        description = "Why the lease that is named waits, and what could be granted now.")
    private boolean explain;

    @Override
    protected Answer answer() throws Failure {
      if (explain && id != null) {
        Form named = new Form().with("id", id);
        return new ExplanationRow(backend().ask("explain", named).getFirst()).answer();
      }
      List<LeaseRow> leases = leases();
      return token || place ? token(leases.getFirst()) : LeaseRow.table(leases, all);
    }

    private Answer token(LeaseRow lease) throws Failure {
      if (!lease.isServed()) {
        throw new Failure(lease.sentence() + ": it has no token");
      }
      String behind = place && !lease.backend().isEmpty() ? " " + backend().place(lease) : "";
      return new Answer(
          Ordered.of("id", lease.id(), "token", lease.token(), "backend", lease.backend()),
          lease.token() + behind);
    }

    private List<LeaseRow> leases() throws Failure {
      if ((token || place || explain) && id == null) {
        String option = explain ? "--explain" : token ? "--token" : "--place";
        throw new ParameterException(spec().commandLine(), option + " wants the id of a lease");
      }
      return id != null
          ? List.of(backend().askOne("find", new Form().with("id", id)))
          : pages().stream().map(LeaseRow::new).toList();
    }

    /** One page where a limit is named, else all of them. */
    private List<Form> pages() throws Failure {
      List<Form> rows = new ArrayList<>();
      String cursor = after;
      do {
        rows.addAll(backend().ask("leases", page(cursor)));
        cursor = rows.isEmpty() ? "" : rows.getLast().get("next");
      } while (limit == null && !cursor.isEmpty());
      if (!cursor.isEmpty()) {
        tellNext(cursor);
      }
      return rows;
    }

    /** Says nothing that an older backend does not know, unless it is asked for. */
    private Form page(String cursor) {
      Form form = new Form().with("all", all ? "yes" : "");
      if (limit != null) {
        form.with("limit", limit);
      }
      return cursor.isEmpty() ? form : form.with("cursor", cursor);
    }

    private void tellNext(String cursor) {
      spec().commandLine().getErr().println("outboard: there are more: --after " + cursor);
      spec().commandLine().getErr().flush();
    }
  }

  /** One that changes a lease. */
  @Command
  abstract static class Changing extends Asking {
    @Parameters(paramLabel = "LEASE", description = "The id of the lease.")
    private String id;

    private final String verb;

    Changing(String verb) {
      this.verb = verb;
    }

    /** Parameters of the request beside the id; none by default. */
    Form form() {
      return new Form();
    }

    /** How long it may take. */
    Duration limit() {
      return LeaseClient.SOON;
    }

    @Override
    protected final Answer answer() throws Failure {
      LeaseRow lease = backend().askOne(verb, form().with("id", id), limit());
      return new Answer(lease.json(), lease.sentence());
    }
  }

  /** One that moves what a lease has on GPUs: hundreds of gigabytes, at a second each. */
  @Command
  abstract static class Moving extends Changing {
    private static final Duration LONGEST = Duration.ofMinutes(30);

    Moving(String verb) {
      super(verb);
    }

    @Override
    final Duration limit() {
      return LONGEST;
    }
  }

  /** {@code outboard release}. */
  @Command(
      name = "release",
      description = "Gives a lease back, whose sessions end with it; also one that still waits.")
  public static final class Release extends Changing {
    Release() {
      super("release");
    }
  }

  /** {@code outboard renew}. */
  @Command(
      name = "renew",
      description = {
        "Has a lease end so long after now, or have another share of its GPUs, or both.",
        "Programs go on."
      })
  public static final class Renew extends Changing {
    @Option(
        names = "--for",
        paramLabel = "TIME",
        converter = Quantities.Time.class,
        description = "How long from now, as 90s, 30m, 8h, 2d.")
    private Duration time;

    @Option(
        names = "--share",
        paramLabel = "S",
        converter = Quantities.Share.class,
        description = "How much of each GPU from now on; its memory stays as it is.")
    private Integer share;

    Renew() {
      super("renew");
    }

    @Override
    Form form() {
      if (time == null && share == null) {
        throw new ParameterException(spec().commandLine(), "--for or --share, or both, are wanted");
      }
      Form form = new Form();
      if (time != null) {
        form.with("seconds", time.toSeconds());
      }
      return share == null ? form : form.with("share", share);
    }
  }

  /** {@code outboard revoke}. */
  @Command(name = "revoke", description = "Takes a lease away, whose sessions end with it.")
  public static final class Revoke extends Changing {
    @Option(names = "--reason", paramLabel = "TEXT", description = "Why, for its holder.")
    private String reason = "";

    Revoke() {
      super("revoke");
    }

    @Override
    Form form() {
      return new Form().with("reason", reason);
    }
  }

  /** {@code outboard suspend}. */
  @Command(
      name = "suspend",
      description = {
        "Puts aside what the programs of a lease have on its GPUs, which others may have then.",
        "Programs that make a call then wait until 'outboard resume', and are told so; a new program",
        "is refused."
      })
  public static final class Suspend extends Moving {
    @Option(
        names = "--until-call",
        description = {
          "Only until a program of it makes a call or begins, which brings everything back when the",
          "GPUs have room for it."
        })
    private boolean untilCall;

    @Option(names = "--reason", paramLabel = "TEXT", description = "Why, for its programs.")
    private String reason = "";

    Suspend() {
      super("suspend");
    }

    @Override
    Form form() {
      return new Form().with("until", untilCall ? "call" : "").with("reason", reason);
    }
  }

  /** {@code outboard resume}. */
  @Command(
      name = "resume",
      description = "Brings back what 'suspend' has put aside; its programs go on.")
  public static final class Resume extends Moving {
    Resume() {
      super("resume");
    }
  }

  /** {@code outboard drain}. */
  @Command(
      name = "drain",
      description = "Lets no more sessions begin on a lease, which ends with the last one.")
  public static final class Drain extends Changing {
    Drain() {
      super("drain");
    }
  }
}
