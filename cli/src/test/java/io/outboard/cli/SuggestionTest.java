// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** What is mistyped is told with what was meant. */
final class SuggestionTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter errors = new StringWriter();

  private int execute(String... arguments) {
    CommandLine command = Outboard.commandLine();
    command.setOut(new PrintWriter(out)).setErr(new PrintWriter(errors));
    return command.execute(arguments);
  }

  @ParameterizedTest
  @CsvSource({
    "serv, serve",
    "serve --listn, --listen",
    "leese, lease",
    "lease --gpu, --gpus",
    "run --devce -- program, --device",
    "token creat, create",
    "help serv, serve",
    "help token creat, create",
  })
  void aWordThatIsAlmostRight(String line, String meant) {
    assertEquals(2, execute(line.split(" ", -1)), errors::toString);
    String told = errors.toString();
    assertTrue(
        told.lines().anyMatch(text -> text.matches("Did you mean: (.*, )?" + meant + "(,.*)?\\?")),
        told);
  }

  @Test
  void helpIsACommandToo() {
    assertEquals(0, execute("help", "token", "create"), errors::toString);
    assertTrue(out.toString().startsWith("Usage: outboard token create"), out::toString);
  }

  @Test
  void helpOfNothingIsAll() {
    assertEquals(0, execute("help"), errors::toString);
    assertTrue(out.toString().startsWith("Usage: outboard "), out::toString);
  }

  @ParameterizedTest
  @CsvSource({"''", "two words", "ünï", "-x"})
  void aTenantsNameIsChecked(String name) {
    for (String line :
        new String[] {"lease", "tenant set --no-budget", "token create --role user"}) {
      String[] words = line.split(" ", -1);
      assertTrue(isRefused(words, name), () -> line + ": " + errors);
    }
  }

  private boolean isRefused(String[] words, String name) {
    boolean parameter = words[0].equals("tenant");
    String[] all = Arrays.copyOf(words, words.length + 2);
    all[words.length] = parameter ? "--" : "--tenant";
    all[words.length + 1] = name;
    return execute(all) == 2 && errors.toString().contains("tenant");
  }
}
