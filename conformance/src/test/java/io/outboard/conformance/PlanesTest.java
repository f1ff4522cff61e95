// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Copies of padded planes, over every communicator. */
final class PlanesTest {
  private static final Pattern ALL = Pattern.compile("(?m)^all +(\\d+) ");

  /** The plane has 600 rows. */
  private static final int MOST_CALLS = 60;

  @RegisterExtension static final Backend BACKEND = new Backend();

  @TestFactory
  Stream<DynamicTest> areCopied() throws IOException {
    return Cases.overAll(BACKEND, "planes", "padded", "taken");
  }

  @Test
  void severalRowsAreOneCall() throws IOException, InterruptedException {
    Map<String, String> variables = new HashMap<>(BACKEND.variables("unix:" + BACKEND.socket()));
    variables.put("OUTBOARD_REPORT", "1");
    String path = Home.PROGRAMS.resolve("planes").toString();
    Program.Ended ended = Program.run(List.of(path, "padded"), variables);
    assertEquals(0, ended.status(), ended::toString);
    Matcher all = ALL.matcher(ended.errors());
    assertTrue(all.find(), ended::toString);
    assertTrue(Integer.parseInt(all.group(1)) <= MOST_CALLS, ended::toString);
  }
}
