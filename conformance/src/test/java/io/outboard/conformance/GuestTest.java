// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The example programs in a virtual machine: a Debian guest with the client's tarball alone, whose
 * calls go over TCP to the host's backend.
 */
@Lengthy
final class GuestTest {
  @RegisterExtension static final Backend BACKEND = new Backend();

  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final int NOT_POSSIBLE_HERE = 2;

  // The host as QEMU's user-mode network shows it to the guest.
  private static final String HOST = "10.0.2.2";
  private static final Path CUDART = Path.of("/usr/local/cuda/lib64/libcudart.so.13");
  private static final Pattern STATUS =
      Pattern.compile("^guest: status=(\\d+) of (.*)$", Pattern.MULTILINE);

  @Test
  void programsRun() throws Exception {
    List<Path> corpus = corpus();
    Program.Ended ended = Program.run(command(corpus), Program.guestWithin(LIMIT), LIMIT);
    assumeTrue(ended.status() != NOT_POSSIBLE_HERE, ended::errors);
    assertTrue(ended.output().contains("java: none"), ended::toString);
    Map<String, Map<String, String>> seen = new TreeMap<>();
    Matcher status = STATUS.matcher(ended.output());
    while (status.find()) {
      String program = Home.EXAMPLES.relativize(Path.of(status.group(2))).toString();
      seen.put(
          program, Map.of("guest", ConformanceTable.outcome(Integer.parseInt(status.group(1)))));
    }
    assertEquals(0, ended.status(), ended::toString);
    assertEquals(corpus.size(), seen.size(), ended::toString);
    assertTrue(ended.output().contains(Home.VECTOR_ADD_PASSED), ended::toString);
    ConformanceTable.check(seen);
  }

  /** Of those with a shared runtime one, for the time; the others differ in how they are linked. */
  private static List<Path> corpus() throws IOException {
    return Home.corpus().stream()
        .filter(
            program ->
                !program.getParent().endsWith("runtime-shared") || program.endsWith("vectorAdd"))
        .toList();
  }

  private static List<String> command(List<Path> corpus) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Home.PATH.resolve("conformance/guest/run-guest").toString(),
                "--client",
                Tarballs.client().toString(),
                "--on",
                BACKEND.tcp().replace("127.0.0.1", HOST),
                "--token",
                BACKEND.token()));
    if (Files.exists(CUDART)) {
      command.addAll(List.of("--library", CUDART.toString()));
    }
    corpus.forEach(program -> command.add(program.toString()));
    return command;
  }
}
