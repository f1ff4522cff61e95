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

/** Memory of pools that a stream frees and allocates again, without a word to the backend. */
final class PoolReuseTest {
  private static final Pattern ALL = Pattern.compile("(?m)^all +(\\d+) +(\\d+) ");

  /** Of the case. */
  private static final int STEPS = 100;

  /** Most round trips of a program beside its steps. */
  private static final int BESIDE = 30;

  @RegisterExtension static final Backend BACKEND = new Backend();

  @TestFactory
  Stream<DynamicTest> isAsIfItTravelled() throws IOException {
    return Cases.overAll(BACKEND, "reuse", "steps", "threads", "endings", "apart", "twice", "ends");
  }

  @Test
  void aStepWaitsForItsCopyAlone() throws Exception {
    Map<String, String> variables = new HashMap<>(BACKEND.variables("unix:" + BACKEND.socket()));
    variables.put("OUTBOARD_REPORT", "1");
    String program = Home.PROGRAMS.resolve("reuse").toString();
    Program.Ended ended = Program.run(List.of(program, "steps"), variables);
    assertEquals(0, ended.status(), ended::toString);
    Matcher all = ALL.matcher(ended.errors());
    assertTrue(all.find(), ended::toString);
    assertTrue(Integer.parseInt(all.group(2)) < STEPS + BESIDE, ended::toString);
  }
}
