// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.identity;

import io.outboard.cli.command.Failure;
import io.outboard.communicator.posix.Processes;
import io.outboard.identity.proxy.ProxyFile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code outboard identity token}. */
@Command(
    name = "token",
    mixinStandardHelpOptions = true,
    description = {
      "Prints a token that this user's grid proxy signs, good for ten minutes.",
      "The proxy's key stays here: the token shows who has it, and with which attributes of VOMS."
    })
final class ProxyTokenCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--audience",
      paramLabel = "NAME",
      required = true,
      description = "The lease office for which it is, as the 'audience' of its identity file.")
  private String audience;

  @Option(
      names = "--proxy",
      paramLabel = "FILE",
      description = {
        "The proxy, as voms-proxy-init writes it. Default: $X509_USER_PROXY, or /tmp/x509up_u and",
        "this user's number."
      })
  private Path file;

  @Override
  public Integer call() throws Failure {
    try {
      Path proxy = file == null ? ProxyFile.usual(System.getenv(), Processes.getuid()) : file;
      spec.commandLine().getOut().println(ProxyFile.read(proxy).token(audience, Instant.now()));
      spec.commandLine().getOut().flush();
      return 0;
    } catch (IOException e) {
      throw new Failure(e);
    }
  }
}
