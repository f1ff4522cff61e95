// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.ArgSpec;

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

  @Test
  void eachCommandIsMeantByItsName() {
    for (String name : Outboard.commandLine().getSubcommands().keySet()) {
      List<Class<?>> meant = Commands.meant(name);
      Class<?> first = meant.getFirst();
      assertEquals(name.equals(HelpCommand.NAME) ? Commands.all() : List.of(first), meant);
      assertTrue(
          name.equals(HelpCommand.NAME) || name.equals(first.getAnnotation(Command.class).name()));
    }
    assertEquals(Commands.all(), Commands.meant("leasse"));
    assertEquals(Commands.all(), Commands.meant());
  }

  @Test
  void noWordIsBroken() {
    checkWords(Outboard.commandLine());
  }

  private static void checkWords(CommandLine command) {
    Set<String> shown = Set.copyOf(words(command.getUsageMessage()).toList());
    String name = command.getCommandSpec().qualifiedName();
    Stream<String[]> texts =
        Stream.concat(
            command.getCommandSpec().args().stream().map(ArgSpec::description),
            Stream.of(
                command.getCommandSpec().usageMessage().description(),
                command.getCommandSpec().usageMessage().footer()));
    texts
        .flatMap(Stream::of)
        .flatMap(HelpTest::words)
        .filter(word -> !word.isEmpty() && !word.contains("$") && !word.contains("%"))
        .forEach(word -> assertTrue(shown.contains(word), () -> name + " breaks " + word));
    command.getSubcommands().values().forEach(HelpTest::checkWords);
  }

  private static Stream<String> words(String text) {
    return Stream.of(text.strip().split("\\s+", -1));
  }
}
