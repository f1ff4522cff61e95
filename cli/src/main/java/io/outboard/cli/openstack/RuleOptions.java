// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.openstack;

import io.outboard.identity.IdentityFile;
import io.outboard.openstack.grant.CloudRules;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The identities of people and machines of the cloud. */
final class RuleOptions {
  @Option(
      names = "--identity",
      paramLabel = "FILE",
      description = {
        "The rules that say who people and machines of the cloud are (docs/identity.md). Default:",
        "each project is a tenant of its id, Keystone's roles member and reader are user and reader."
      })
  private Path file;

  CloudRules rules() throws IOException {
    return file == null ? CloudRules.usual() : new CloudRules(IdentityFile.read(file).rules());
  }
}
