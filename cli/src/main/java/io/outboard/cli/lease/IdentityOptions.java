// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.lease;

import io.outboard.cli.command.PersonOptions;
import io.outboard.lease.Form;
import io.outboard.lease.Identity;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The user of a lease, for accounting elsewhere. */
final class IdentityOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--consumer",
      paramLabel = "TYPE:ID",
      description = {
        "For accounting: what uses it, vm:UUID, job:CLUSTER/NUMBER or process:NUMBER."
      })
  private String consumer = "";

  @Mixin private PersonOptions person;

  @Option(
      names = "--apel-site",
      paramLabel = "NAME",
      description = "For accounting: the name under which the site is registered.")
  private String site = "";

  /** Adds them to what is asked. */
  Form into(Form form) {
    int colon = consumer.indexOf(':');
    String type = consumer.substring(0, Math.max(0, colon));
    try {
      if (colon < 0 && !consumer.isEmpty()) {
        throw new IllegalArgumentException("--consumer is TYPE:ID, as vm:UUID");
      }
      String id = consumer.substring(colon + 1);
      return new Identity(type, id, person.user(), person.fqan(), site).into(form);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }
}
