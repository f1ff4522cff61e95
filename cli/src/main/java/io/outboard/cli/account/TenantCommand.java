// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.account;

import io.outboard.cli.command.Failure;
import io.outboard.cli.command.Quantities;
import io.outboard.cli.command.Version;
import io.outboard.cli.lease.LeaseCommands;
import io.outboard.pool.lease.Form;
import java.time.Duration;
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
    @Parameters(paramLabel = "TENANT", description = "Its name.")
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
    public Integer call() throws Failure {
      long seconds = budget.none ? -1 : budget.time.toSeconds();
      Form wanted = new Form().with("name", name).with("budget", seconds);
      print(heading());
      print(row(backend().ask("tenant-set", wanted).getFirst()));
      return 0;
    }
  }

  /** {@code outboard tenant list}. */
  @Command(name = "list", description = "Prints the tenants of which something is set.")
  static final class Listing extends LeaseCommands.Asking {
    @Override
    public Integer call() throws Failure {
      print(heading());
      backend().ask("tenants", new Form()).forEach(tenant -> print(row(tenant)));
      return 0;
    }
  }

  private static String heading() {
    return ROW.formatted("tenant", "GPU hours", "spent");
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
