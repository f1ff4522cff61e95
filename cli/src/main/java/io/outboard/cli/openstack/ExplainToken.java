// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.openstack;

import io.outboard.cli.command.Failure;
import io.outboard.cli.identity.Explained;
import io.outboard.identity.Finding;
import io.outboard.openstack.cloud.CloudToken;
import io.outboard.openstack.grant.CloudRules;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParentCommand;

/** {@code outboard openstack explain}. */
@Command(
    name = "explain",
    mixinStandardHelpOptions = true,
    description = {
      "Says which rule fits a token of Keystone's, why those before it do not, and what it gives.",
      "The status is 0 where something is granted, else 1."
    })
final class ExplainToken implements Callable<Integer> {
  @ParentCommand private OpenstackCommand parent;
  @Mixin private RuleOptions rules;
  @Mixin private Explained explained;

  @Override
  public Integer call() throws Failure {
    try {
      CloudRules file = rules.rules();
      CloudToken token =
          parent
              .keystone()
              .check(explained.token())
              .orElseThrow(() -> new IOException("Keystone knows no such token, or none any more"));
      return explained.print(Finding.of(file.rules(), CloudRules.claims(token), token.expires()));
    } catch (IOException e) {
      throw new Failure(e);
    }
  }
}
