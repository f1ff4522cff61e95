// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import picocli.CommandLine;

final class HelpTest {
  @Test
  void theLineInTheListOfCommandsIsWhole() {
    check(Outboard.commandLine());
  }

  private static void check(CommandLine command) {
    String name = command.getCommandSpec().qualifiedName();
    String[] description = command.getCommandSpec().usageMessage().description();
    assertTrue(description.length > 0 && description[0].endsWith("."), name);
    command.getSubcommands().values().forEach(HelpTest::check);
  }
}
