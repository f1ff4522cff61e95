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

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "sessions|'outboard' has no command 'sessions'",
        "help sessions|'outboard' has no command 'sessions'",
        "token make|'outboard token' has no command 'make'",
        "lease now|'outboard lease' takes no argument 'now' there",
        "leases --now|'outboard leases' has no option --now",
        "usage --month 2026-11|--to, --dirq, --apel-site and --month are for --format apel",
        "usage --format csv --to there|--to, --dirq, --apel-site and --month are for --format apel",
        "token create --role user|--role user wants --tenant NAME",
      })
  void whatIsWrongIsToldInWordsOfPeople(String line, String told) {
    assertEquals(2, execute(line.split(" ", -1)), errors::toString);
    assertEquals("outboard: " + told, errors.toString().lines().findFirst().orElseThrow());
  }

  @Test
  void aTenantsNameIsToldAsPeopleWriteIt() {
    assertEquals(2, execute("lease", "--tenant", "a b"));
    assertTrue(errors.toString().contains("has letters, digits and ._@$+-\\, at first"));
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
