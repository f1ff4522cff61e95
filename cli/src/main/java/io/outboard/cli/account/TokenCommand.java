// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.account;

import io.outboard.api.json.Ordered;
import io.outboard.cli.command.Answer;
import io.outboard.cli.command.Failure;
import io.outboard.cli.command.PersonOptions;
import io.outboard.cli.command.Quantities;
import io.outboard.cli.command.TenantName;
import io.outboard.cli.command.Undo;
import io.outboard.cli.command.Version;
import io.outboard.cli.lease.LeaseCommands;
import io.outboard.cli.lease.LeaseRow;
import io.outboard.lease.Form;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code outboard token}. */
@Command(
    name = "token",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    synopsisSubcommandLabel = "COMMAND",
    description = "Makes, lists and takes back tokens of the HTTP interface.",
    subcommands = {
      TokenCommand.Create.class,
      TokenCommand.Listing.class,
      TokenCommand.Revoke.class,
    })
public final class TokenCommand implements Runnable {
  private static final String ROW = "%-13s %-9s %-16s %-26s %-8s %s";

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "create, list or revoke?");
  }

  /** {@code outboard token create}. */
  @Command(
      name = "create",
      description = {
        "Makes a token and prints it, this once; only its hash is kept.",
        "A reader may look; a user may ask for leases of its tenant and end them; an operator may",
        "do everything."
      })
  static final class Create extends LeaseCommands.Asking {
    @Option(
        names = "--role",
        required = true,
        paramLabel = "ROLE",
        description = "reader, user or operator.")
    private String role;

    @Option(
        names = "--tenant",
        paramLabel = "NAME",
        converter = TenantName.class,
        description =
            "Whose leases it is for: a user's always, a reader's if it is not to see all.")
    private String tenant = "";

    @Mixin private PersonOptions person;

    @Option(
        names = "--for",
        paramLabel = "TIME",
        defaultValue = "90d",
        converter = Quantities.Time.class,
        description = "How long it is good, as 8h, 30d. Default: ${DEFAULT-VALUE}")
    private Duration time;

    @Option(names = "--note", paramLabel = "TEXT", description = "What it is for.")
    private String note = "";

    @Override
    public Integer call() throws Failure {
      if (role.equals("user") && tenant.isEmpty()) {
        throw new ParameterException(spec().commandLine(), "--role user wants --tenant NAME");
      }
      return super.call();
    }

    /** One that is not shown is taken back. */
    @Override
    protected void print(Answer token) {
      String id = ((Map<?, ?>) token.json()).get("id").toString();
      Undo undo = Undo.atTheEnd(() -> revoke(id));
      super.print(token);
      undo.forget();
    }

    private void revoke(String id) {
      try {
        backend().ask("token-revoke", new Form().with("id", id));
      } catch (Failure e) {
        spec().commandLine().getErr().println("outboard: token " + id + " is still good");
        spec().commandLine().getErr().flush();
      }
    }

    @Override
    protected Answer answer() throws Failure {
      Form wanted =
          new Form()
              .with("role", role)
              .with("tenant", tenant)
              .with("user", person.user())
              .with("fqan", person.fqan())
              .with("note", note)
              .with("seconds", time.toSeconds());
      Form token = backend().ask("token-create", wanted).getFirst();
      Map<String, Object> object = json(token);
      object.put("secret", token.get("secret"));
      return new Answer(object, token.get("secret"));
    }
  }

  /** {@code outboard token list}. */
  @Command(name = "list", description = "Prints the tokens, without their secrets.")
  static final class Listing extends LeaseCommands.Asking {
    @Override
    protected Answer answer() throws Failure {
      List<Form> tokens = backend().ask("tokens", new Form());
      return Answer.table(
          tokens.stream().map(TokenCommand::json).toList(),
          ROW.formatted("token", "role", "tenant", "until", "state", "note"),
          tokens.stream().map(TokenCommand::row));
    }
  }

  /** {@code outboard token revoke}. */
  @Command(name = "revoke", description = "Takes a token back, which is refused from now on.")
  static final class Revoke extends LeaseCommands.Asking {
    @Parameters(paramLabel = "TOKEN", description = "The id of the token, as 'token list' has it.")
    private String id;

    @Override
    protected Answer answer() throws Failure {
      Form token = backend().ask("token-revoke", new Form().with("id", id)).getFirst();
      return new Answer(json(token), row(token));
    }
  }

  private static Map<String, Object> json(Form token) {
    return Ordered.of(
        "id", token.get("id"),
        "role", token.get("role"),
        "tenant", token.get("tenant"),
        "user", token.get("user"),
        "fqan", token.get("fqan"),
        "note", token.get("note"),
        "created", LeaseRow.utc(token.number("created", 0)),
        "expires", LeaseRow.utc(token.number("expires", 0)),
        "revoked", isRevoked(token));
  }

  private static boolean isRevoked(Form token) {
    return token.get("revoked").equals("true");
  }

  private static String row(Form token) {
    long expires = token.number("expires", 0);
    boolean over = expires <= System.currentTimeMillis();
    String state = isRevoked(token) ? "revoked" : over ? "over" : "good";
    return ROW.formatted(
            token.get("id"),
            token.get("role"),
            token.get("tenant").isEmpty() ? "-" : token.get("tenant"),
            LeaseRow.time(expires),
            state,
            token.get("note"))
        .stripTrailing();
  }
}
