// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.serve;

import io.outboard.cli.command.Version;
import java.io.PrintWriter;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code outboard guest}. */
@Command(
    name = "guest",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = {
      "Prints how a virtual machine reaches a backend on its host.",
      "docs/hypervisors.md says what of that was run, and how."
    })
public final class GuestCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--hypervisor",
      paramLabel = "NAME",
      required = true,
      completionCandidates = Names.class,
      description = "One of ${COMPLETION-CANDIDATES}.")
  private String hypervisor;

  @Option(
      names = "--socket",
      paramLabel = "PATH",
      defaultValue = "/run/outboard/guest.sock",
      description = "The hypervisor's socket on the host, one a guest. Default: ${DEFAULT-VALUE}")
  private String socket;

  @Option(
      names = "--cid",
      paramLabel = "N",
      defaultValue = "3",
      description = {
        "The guest's number for vsock, from 3 on, or that of a domain of Xen's, from 1 on.",
        "Default: ${DEFAULT-VALUE}"
      })
  private int cid;

  /** The hypervisors' names. */
  static final class Names implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return names().iterator();
    }
  }

  private static List<String> names() {
    return Stream.of(Hypervisor.values()).map(Hypervisor::toString).toList();
  }

  @Override
  public Integer call() {
    Hypervisor chosen = chosen();
    if (cid < chosen.firstNumber()) {
      throw new ParameterException(
          spec.commandLine(),
          "--cid %d: a guest's is at least %d".formatted(cid, chosen.firstNumber()));
    }
    PrintWriter out = spec.commandLine().getOut();
    out.print(chosen.text(socket, cid));
    out.flush();
    return 0;
  }

  private Hypervisor chosen() {
    return Stream.of(Hypervisor.values())
        .filter(one -> one.toString().equals(hypervisor))
        .findFirst()
        .orElseThrow(
            () ->
                new ParameterException(
                    spec.commandLine(),
                    "--hypervisor "
                        + hypervisor
                        + ": expected one of "
                        + names().stream().collect(Collectors.joining(", "))));
  }
}
