// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.account;

import io.outboard.api.json.Ordered;
import io.outboard.cli.command.Answer;
import io.outboard.cli.command.Failure;
import io.outboard.cli.command.Quantities;
import io.outboard.cli.command.TenantName;
import io.outboard.cli.command.Version;
import io.outboard.cli.lease.LeaseCommands;
import io.outboard.lease.Form;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code outboard tenant}. */
@Command(
    name = "tenant",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    synopsisSubcommandLabel = "COMMAND",
    description = "Sets and lists what tenants may use.",
    subcommands = {TenantCommand.SetTenant.class, TenantCommand.Listing.class})
public final class TenantCommand implements Runnable {
  private static final String ROW = "%-20s %12s %12s";
  private static final double HOUR = 3_600;

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "set or list?");
  }

  /** {@code outboard tenant set}. */
  @Command(
      name = "set",
      description = {
        "Sets the budget of a tenant in time of whole GPUs.",
        "A lease is refused when it could spend more than is left; what it does not use is left again",
        "when it is over."
      })
  static final class SetTenant extends LeaseCommands.Asking {
    @Parameters(paramLabel = "TENANT", converter = TenantName.class, description = "Its name.")
    private String name;

    @ArgGroup(multiplicity = "1")
    private Budget budget;

    /** One of the two. */
    static final class Budget {
      @Option(
          names = "--budget",
          paramLabel = "TIME",
          converter = Quantities.Budget.class,
          description = "As 100h: two halves of a GPU for 100 hours, or four GPUs for 25.")
      private Duration time;

      @Option(names = "--no-budget", description = "It has no limit.")
      private boolean none;
    }

    @Override
    protected Answer answer() throws Failure {
      long seconds = budget.none ? -1 : budget.time.toSeconds();
      Form wanted = new Form().with("name", name).with("budget", seconds);
      return table(backend().ask("tenant-set", wanted));
    }
  }

  /** {@code outboard tenant list}. */
  @Command(name = "list", description = "Prints the tenants of which something is set.")
  static final class Listing extends LeaseCommands.Asking {
    @Override
    protected Answer answer() throws Failure {
      return table(backend().ask("tenants", new Form()));
    }
  }

  private static Answer table(List<Form> tenants) {
    return Answer.table(
        tenants.stream().map(TenantCommand::json).toList(),
        ROW.formatted("tenant", "GPU hours", "spent"),
        tenants.stream().map(TenantCommand::row));
  }

  private static Map<String, Object> json(Form tenant) {
    boolean limited = !tenant.get("budget").isEmpty();
    return Ordered.of(
        "name", tenant.get("name"),
        "budgetSeconds", limited ? tenant.number("budget", 0) : null,
        "spentSeconds", tenant.number("spent", 0));
  }

  private static String row(Form tenant) {
    boolean limited = !tenant.get("budget").isEmpty();
    return ROW.formatted(
        tenant.get("name"), limited ? hours(tenant, "budget") : "-", hours(tenant, "spent"));
  }

  private static String hours(Form tenant, String name) {
    return "%.2f".formatted(tenant.number(name, 0) / HOUR);
  }
}
