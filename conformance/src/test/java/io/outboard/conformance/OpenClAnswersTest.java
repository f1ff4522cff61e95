// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.testkit.Amount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The host's own OpenCL (PoCL), asked directly and through Outboard, with the same loader, answers
 * valid and invalid calls alike: but for those of a list, which gives a reason for each. Each build
 * asks a share of the functions, {@code -Dlong} all. Only where the host has an OpenCL device.
 */
final class OpenClAnswersTest {
  private static final Path LIST = Home.PATH.resolve("conformance/answers/opencl-pocl.txt");
  private static final Path PAGE = Home.PATH.resolve("docs/conformance/answers-opencl.md");
  private static final String UNDEFINED = "undefined";
  private static final String LOADER = "libOpenCL.so.1";

  /** Of all functions each build asks one in so many. */
  private static final int SHARE = Amount.of(4, 1);

  private static final ListedAnswers LISTED = new ListedAnswers(LIST, OpenClAnswersTest::reason);

  @SuppressWarnings("InlineFormatString") // It is the page.
  private static final String HEAD =
      """
      # PoCL's answers, and those through Outboard

      `conformance/c/questions` calls each function of OpenCL, with each class of value of each
      parameter and each number of a question, directly and through Outboard, by the same loader. PoCL
      answered %d calls, and did not survive %d others. **%d (%d %%)** are answered alike. The others
      are in `conformance/answers/opencl-pocl.txt`:

      | reason | calls | for example: PoCL's answer, ours |
      |---|---|---|
      %s
      Each build asks a share of the functions on the machine's own OpenCL, and fails where an answer
      is not as listed. Written anew by `./mvnw -D%s=true -Dlong verify`.
      """;

  private static Backend backend;

  private static String reason(String name, String theirs, String ours) {
    if (name.contains("SVM") || name.contains("Unmap")) {
      return "memory that is not shared: PoCL takes the program's own, or looks at it later";
    }
    if (name.endsWith("=most")) {
      return "a number beyond all limits is refused before it travels";
    }
    if (name.contains("ExtensionFunctionAddress") || name.contains("FromType")) {
      return "ours finds more than PoCL's look-up, and makes nothing where there is an error";
    }
    return theirs.startsWith("0")
        ? "ours refuses what the specification refuses"
        : "two errors at once: another one is told";
  }

  @BeforeAll
  static void serve() throws IOException, InterruptedException {
    backend = HostsOpenCl.serve();
  }

  @AfterAll
  static void end() throws Exception {
    if (backend != null) {
      backend.afterAll(null);
    }
  }

  @Test
  void callsAreAnsweredAsListed(@TempDir Path folder) throws Exception {
    List<String> direct = run(Map.of(), "--one-in=" + SHARE);
    Path known = Files.write(folder.resolve("known.txt"), direct);
    Map<String, String> theirs = ListedAnswers.read(direct);
    int all = theirs.size();
    theirs.values().removeIf(UNDEFINED::equals);
    assertTrue(theirs.size() > 200, () -> "few calls: " + theirs);
    String endpoint = backend.endpoints().getFirst();
    Map<String, String> loader = new HashMap<>(backend.variables(endpoint));
    loader.put("OCL_ICD_VENDORS", Home.LIBRARIES.resolve("opencl/vendors").toString());
    Map<String, String> ours =
        ListedAnswers.read(run(loader, "--one-in=" + SHARE, "--known=" + known));
    assertEquals(theirs.keySet(), ours.keySet());
    LISTED.check(theirs, ours);
    if (SHARE == 1) {
      int equal = theirs.size() - LISTED.count();
      Committed.check(
          PAGE,
          HEAD.formatted(
              theirs.size(),
              all - theirs.size(),
              equal,
              100 * equal / theirs.size(),
              LISTED.table(),
              Committed.UPDATE));
    }
  }

  private static List<String> run(Map<String, String> variables, String... options)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Home.PROGRAMS.resolve("questions").toString());
    command.addAll(List.of(options));
    command.add(LOADER);
    Program.Ended ended = Program.run(command, variables);
    assertEquals(0, ended.status(), ended::toString);
    return ended.output().lines().toList();
  }
}
