// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The programs of the driver interface in a paravirtual domain of Xen's, which QEMU emulates: over
 * pages that the domain grants and over TCP, with what each way costs; and one whose connections
 * are killed.
 */
@Lengthy
final class XenGuestTest {
  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final int NOT_POSSIBLE_HERE = 2;
  private static final Path MEDIUM = Home.PATH.resolve("frontend/target/test/medium");

  @RegisterExtension static final Backend BACKEND = new Backend();

  @Test
  void programsRun() throws Exception {
    List<String> programs = programs();
    Program.Ended ended = run(programs);
    assumeTrue(ended.status() != NOT_POSSIBLE_HERE, ended::errors);
    assertEquals(0, ended.status(), ended::toString);
    assertTrue(ended.output().contains(", xen PV\n"), ended::toString);
    assertTrue(ended.output().contains("guest: pages to grant: 8256\n"), ended::toString);
    assertEquals(programs.size() + 1, passed(ended, "xen"), ended::toString);
    assertEquals(programs.size(), passed(ended, "tcp"), ended::toString);
    assertTrue(ended.output().contains("host: connections were killed"), ended::toString);
    assertTrue(ended.output().contains("guest: left in the xenstore: ''"), ended::toString);
    assertTrue(ended.output().contains("host: processes of outboard-xen: 0\n"), ended::toString);
    // It compares the bytes itself.
    assertEquals(4, figures(ended, "medium: over ").count(), ended::toString);
    figures(ended, "medium: ").forEach(line -> System.out.println("under emulation, " + line));
    figures(ended, "link: ")
        .forEach(line -> System.out.println("under emulation, xen, TCP, xen: " + line));
  }

  private static long passed(Program.Ended ended, String way) {
    String line = "guest: status=0 over " + way + " of ";
    return ended.output().lines().filter(said -> said.startsWith(line)).count();
  }

  private static Stream<String> figures(Program.Ended ended, String what) {
    return ended.output().lines().filter(line -> line.startsWith(what));
  }

  private static Program.Ended run(List<String> programs) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Home.PATH.resolve("conformance/guest/run-xen").toString(),
                "--client",
                Tarballs.client().toString(),
                "--on",
                BACKEND.tcp().replace("127.0.0.1", "10.0.2.2"),
                "--token",
                BACKEND.token(),
                "--medium",
                MEDIUM.toString()));
    command.addAll(programs);
    return Program.run(command, Program.guestWithin(LIMIT), LIMIT);
  }

  private static List<String> programs() throws IOException {
    List<String> programs = new ArrayList<>();
    Home.examples("driver").map(Path::toString).forEach(programs::add);
    programs.add(Home.PROGRAMS.resolve("link").toString());
    return programs;
  }
}
