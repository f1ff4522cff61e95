// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.account;

import io.outboard.api.json.Ordered;
import io.outboard.cli.command.Answer;
import io.outboard.cli.command.Failure;
import io.outboard.cli.command.Version;
import io.outboard.cli.lease.LeaseCommands;
import io.outboard.cli.lease.LeaseRow;
import io.outboard.lease.Form;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code outboard node}. */
@Command(
    name = "node",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    synopsisSubcommandLabel = "COMMAND",
    description = "Invites, lists and removes the nodes of a broker's pool.",
    subcommands = {
      NodeCommand.Invite.class,
      NodeCommand.Listing.class,
      NodeCommand.Remove.class,
    })
public final class NodeCommand implements Runnable {
  private static final String ROW = "%-20s %-8s %4s  %-26s %s";

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "invite, list or remove?");
  }

  /** {@code outboard node invite}. */
  @Command(
      name = "invite",
      description = {
        "Makes a token with which a node joins the pool, once and within an hour, and prints it.",
        "On the node: OUTBOARD_POOL_TOKEN=TOKEN outboard serve --pool URL --pool-name NAME."
      })
  static final class Invite extends LeaseCommands.Asking {
    @Parameters(paramLabel = "NAME", description = "By which the pool is to know the node.")
    private String node;

    @Override
    protected Answer answer() throws Failure {
      Form invited = backend().ask("node-invite", new Form().with("node", node)).getFirst();
      return new Answer(
          Ordered.of("node", node, "token", invited.get("token")), invited.get("token"));
    }
  }

  /** {@code outboard node list}. */
  @Command(name = "list", description = "Prints the nodes, and when they reported last.")
  static final class Listing extends LeaseCommands.Asking {
    @Override
    protected Answer answer() throws Failure {
      return table(backend().ask("nodes", new Form()));
    }
  }

  /** {@code outboard node remove}. */
  @Command(
      name = "remove",
      description = {
        "Removes a node, which is refused from now on, and its leases are over.",
        "One that is only away for a time needs no removal."
      })
  static final class Remove extends LeaseCommands.Asking {
    @Parameters(paramLabel = "NAME", description = "The node, as 'node list' has it.")
    private String node;

    @Override
    protected Answer answer() throws Failure {
      return table(backend().ask("node-remove", new Form().with("node", node)));
    }
  }

  private static Answer table(List<Form> nodes) {
    return Answer.table(
        nodes.stream().map(NodeCommand::json).toList(),
        ROW.formatted("node", "state", "GPUs", "reported", "endpoints"),
        nodes.stream().map(NodeCommand::row));
  }

  private static String state(Form node) {
    return node.get("joined").equals("true") ? "joined" : "invited";
  }

  private static Map<String, Object> json(Form node) {
    long reported = node.number("reported", 0);
    return Ordered.of(
        "node", node.get("node"),
        "state", state(node),
        "gpus", node.number("devices", 0),
        "reported", reported == 0 ? null : LeaseRow.utc(reported),
        "endpoints", node.words("endpoints"));
  }

  private static String row(Form node) {
    long reported = node.number("reported", 0);
    return ROW.formatted(
            node.get("node"),
            state(node),
            node.get("devices"),
            reported == 0 ? "-" : LeaseRow.time(reported),
            node.get("endpoints"))
        .stripTrailing();
  }
}
