// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The management library through Outboard, on a software GPU that has an H200's figures, answers
 * valid and invalid questions as an H200's own library did: but for those of a list, which gives a
 * reason for each. A call that the library did not survive is refused.
 */
final class NvmlAnswersTest {
  @RegisterExtension static final Backend BACKEND = new Backend("software:h200");

  private static final Path FOLDER = Home.PATH.resolve("conformance/answers");
  private static final Path RECORD = FOLDER.resolve("management-h200-580.159.04.txt");
  private static final Path PAGE = Home.PATH.resolve("docs/conformance/answers-nvml.md");
  private static final String NOT_SUPPORTED = "3";
  private static final String UNDEFINED = "undefined";

  private static final ListedAnswers LISTED =
      new ListedAnswers(FOLDER.resolve("management-software.txt"), NvmlAnswersTest::reason);

  @SuppressWarnings("InlineFormatString") // It is the page.
  private static final String HEAD =
      """
      # The management library's answers, and those through Outboard

      `conformance/c/management` asks each function of `libnvidia-ml` that changes nothing, with each
      class of value of each parameter, and before the library is initialised. An H200's library
      answered %d questions, natively, and did not survive %d others: Outboard refuses these. **%d
      (%d %%)** are answered alike on the software GPU. The others are in
      `conformance/answers/management-software.txt`:

      | reason | questions | for example: the library's answer, ours |
      |---|---|---|
      %s
      On an H200 itself (2026-11-28, over shared memory) 1,044 are answered alike (98 %%): thirteen
      lengths that no text has, three lists of processes and those two tables differ there.

      Each build asks them all, and fails where an answer is not as listed. Written anew by `./mvnw
      -D%s=true verify`.
      """;

  private static String reason(String name, String theirs, String ours) {
    if (ours.equals(NOT_SUPPORTED)) {
      return "the software GPU has no such sensor, clock, link or setting";
    }
    if (name.endsWith("ExportTable")) {
      return "tables of the vendor's that are not known here are not found";
    }
    return name.endsWith("=most")
        ? "a length that no text has is refused before it travels"
        : "the software GPU knows this, or tells it in another way";
  }

  @Test
  void questionsAreAnsweredAsListed() throws Exception {
    Map<String, String> library = ListedAnswers.read(Files.readAllLines(RECORD));
    Map<String, String> ours = run();
    assertTrue(library.size() > 1000, () -> "few questions: " + library.size());
    assertEquals(library.keySet(), ours.keySet());
    int all = library.size();
    library.values().removeIf(UNDEFINED::equals);
    LISTED.check(library, ours);
    int differ = LISTED.count();
    Committed.check(
        PAGE,
        HEAD.formatted(
            library.size(),
            all - library.size(),
            library.size() - differ,
            100 * (library.size() - differ) / library.size(),
            LISTED.table(),
            Committed.UPDATE));
    assertTrue(!ours.containsValue(UNDEFINED), () -> "not survived: " + ours);
  }

  private static Map<String, String> run() throws IOException, InterruptedException {
    Program.Ended ended =
        Program.run(
            List.of(
                Home.PROGRAMS.resolve("management").toString(),
                Home.LIBRARIES.resolve("libnvidia-ml.so.1").toString()),
            BACKEND.variables(BACKEND.endpoints().getFirst()));
    assertEquals(0, ended.status(), ended::toString);
    return ListedAnswers.read(ended.output().lines().toList());
  }
}
