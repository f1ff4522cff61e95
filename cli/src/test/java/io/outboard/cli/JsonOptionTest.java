// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.outboard.api.json.Json;
import io.outboard.api.json.Ordered;
import io.outboard.cli.command.Output;
import java.lang.reflect.Field;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** {@code --json} is one option, of all commands that answer something. */
final class JsonOptionTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "devices",
        "doctor",
        "drain",
        "handover",
        "lease",
        "leases",
        "nodes",
        "plugins",
        "release",
        "renew",
        "report",
        "resume",
        "revoke",
        "suspend",
        "tenant list",
        "tenant set",
        "token create",
        "token list",
        "token revoke",
        "top",
        "usage",
      })
  void whatAnswersHasIt(String line) {
    CommandLine command = Outboard.commandLine();
    for (String word : line.split(" ", -1)) {
      command = command.getSubcommands().get(word);
    }
    OptionSpec json = command.getCommandSpec().findOption("--json");
    assertNotNull(json, line);
    assertEquals(Output.class, ((Field) json.userObject()).getDeclaringClass(), line);
  }

  @Test
  void itIsJsonWithALineForEachRow() {
    List<Map<String, Object>> rows = List.of(Ordered.of("a", 1), Ordered.of("a", "\n"));
    for (Object value : List.of(rows, Ordered.of("b", true, "rows", rows), rows.getFirst())) {
      assertEquals(Json.write(value), Json.write(Json.read(Output.text(value))));
    }
    assertEquals(2, Output.text(rows).lines().count());
    assertEquals(3, Output.text(Ordered.of("b", true, "rows", rows)).lines().count());
  }
}
