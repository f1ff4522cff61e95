// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * How often each driver-API program waits for the backend, held against the committed table: a
 * round trip more is a change that somebody should have meant. Over the Unix socket, where what a
 * program waits for does not depend on who is quicker.
 */
final class RoundTripsTest {
  private static final Path TABLE = Home.PATH.resolve("docs/conformance/round-trips.md");
  private static final String HEAD =
      """
      # Round trips

      How often the programs of `examples/cuda/driver` wait for the backend, over a Unix socket, and how many calls they send. The
      tests of `conformance` fail if this is not what they see. Written anew by `./mvnw -D%s=true verify`.

      | program | calls | round trips |
      | --- | --- | --- |
      """
          .formatted(Committed.UPDATE);
  private static final Pattern ALL = Pattern.compile("(?m)^all +(\\d+) +(\\d+) ");

  @RegisterExtension static final Backend BACKEND = new Backend();

  @Test
  void programsWaitAsOftenAsTheTableSays() throws IOException, InterruptedException {
    Map<String, String> rows = new TreeMap<>();
    for (Path program : Home.corpus()) {
      if (program.getParent().endsWith("driver")) {
        rows.put(program.getFileName().toString(), row(program));
      }
    }
    Committed.check(TABLE, HEAD + String.join("", rows.values()));
  }

  private static String row(Path program) throws IOException, InterruptedException {
    Map<String, String> variables = new HashMap<>(BACKEND.variables("unix:" + BACKEND.socket()));
    variables.put("OUTBOARD_REPORT", "1");
    variables.put("OUTBOARD_BULK", "0"); // else it depends on the processors
    Program.Ended ended = Program.run(List.of(program.toString()), variables);
    assertEquals(0, ended.status(), ended::toString);
    Matcher all = ALL.matcher(ended.errors());
    assertTrue(all.find(), ended::toString);
    return "| %s | %s | %s |%n".formatted(program.getFileName(), all.group(1), all.group(2));
  }
}
