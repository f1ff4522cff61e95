// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.identity;

import io.outboard.api.json.Json;
import io.outboard.cli.command.Failure;
import io.outboard.cli.command.Version;
import io.outboard.communicator.certificate.Pem;
import io.outboard.identity.Finding;
import io.outboard.identity.IdentityFile;
import io.outboard.identity.ProviderIdentities;
import io.outboard.identity.rule.Claims;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code outboard identity}. */
@Command(
    name = "identity",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    synopsisSubcommandLabel = "COMMAND",
    description = "Says who somebody is to the lease office.",
    subcommands = {IdentityCommand.Explain.class, ProxyTokenCommand.class})
public final class IdentityCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "explain or token?");
  }

  /** {@code outboard identity explain}. */
  @Command(
      name = "explain",
      mixinStandardHelpOptions = true,
      description = {
        "Says which rule fits a token, why those before it do not, and what it gives.",
        "In the place of a token there may be the text of a grid's proxy: '- </tmp/x509up_u1000'.",
        "The status is 0 where something is granted, else 1."
      })
  static final class Explain implements Callable<Integer> {
    private static final String PROXY = "-----BEGIN CERTIFICATE-----";

    @Spec private CommandSpec spec;
    @Mixin private Explained explained;

    @Option(
        names = "--identity",
        paramLabel = "FILE",
        defaultValue = "/etc/outboard/identity.conf",
        description = "The file with providers and rules. Default: ${DEFAULT-VALUE}")
    private Path file;

    @Option(
        names = "--claims-of",
        paramLabel = "SOURCE",
        description = {
          "Instead of a token, claims as an object of JSON, which nobody verifies here: as if that",
          "provider, keystone, kubernetes or nova vouched for them. 'sub' is the name there."
        })
    private String source;

    @Override
    public Integer call() throws Failure {
      try {
        IdentityFile rules = IdentityFile.read(file);
        String text = explained.token();
        return explained.print(source == null ? examined(rules, text) : supposed(rules, text));
      } catch (IOException e) {
        throw new Failure(e);
      }
    }

    private static Finding examined(IdentityFile rules, String secret) throws IOException {
      try (ProviderIdentities people = new ProviderIdentities(rules)) {
        return secret.contains(PROXY)
            ? people.examine(Pem.certificates("the proxy", secret))
            : people.examine(secret);
      }
    }

    private Finding supposed(IdentityFile rules, String text) {
      try {
        if (Json.read(text) instanceof Map<?, ?> object) {
          String subject = object.get("sub") instanceof String name ? name : "";
          return Finding.of(rules.rules(), Claims.of(source, subject, object), Instant.EPOCH);
        }
        throw new IllegalArgumentException("it is no object");
      } catch (IllegalArgumentException e) {
        throw new ParameterException(
            spec.commandLine(), "the claims are an object of JSON: " + e.getMessage(), e);
      }
    }
  }
}
