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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The programs of the driver interface, and one of managed memory, in a virtual machine under
 * emulation, over a real virtio-serial port of QEMU's, and beside that through memory of an ivshmem
 * device; and what each way costs, beside TCP in the same guest.
 */
@Lengthy
final class VirtioGuestTest {
  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final int NOT_POSSIBLE_HERE = 2;
  private static final int PROGRAMS_AT_ONCE = 32;
  private static final Path STEADY = Home.PROGRAMS.resolve("steady");
  private static final Pattern COMPANION =
      Pattern.compile("^guest: the companion: VmHWM:\\s+(\\d+) kB", Pattern.MULTILINE);

  /** Five channels for each program, with the bytes of a channel's credit; and its own code. */
  private static final long COMPANION_MOST_KIB = 5L * PROGRAMS_AT_ONCE * 256 + 16_384;

  private static final Path FOLDER = Folders.make("outboard-test-guest");
  private static final Path PORT = FOLDER.resolve("port.sock");
  private static final Path PORT_BESIDE_MEMORY = FOLDER.resolve("beside-memory.sock");
  private static final Path FIXED_PORT = FOLDER.resolve("fixed.sock");
  private static final Path MEMORY = Path.of("/dev/shm/" + FOLDER.getFileName());

  @RegisterExtension
  static final Backend BACKEND =
      new Backend(
              "software",
              "--listen=virtio:" + PORT,
              "--listen=virtio:" + PORT_BESIDE_MEMORY,
              "--ivshmem=virtio:" + PORT_BESIDE_MEMORY + "=" + MEMORY,
              "--listen=virtio:" + FIXED_PORT,
              "--ivshmem-fixed=virtio:" + FIXED_PORT + "=" + MEMORY)
          .withFolder(FOLDER);

  @AfterEach
  void removeMemory() throws IOException {
    Files.deleteIfExists(MEMORY);
  }

  @Test
  void programsRunOverAPort() throws Exception {
    Program.Ended ended = run(List.of("--port", PORT.toString(), "--also", tcp()), programs());
    print(ended, "virtio-serial", "TCP");
  }

  @Test
  void programsRunThroughMemory() throws Exception {
    Program.Ended ended = run(throughMemory("--also", "same", "--also", tcp()), programs());
    assertEquals(programs().size(), through(ended), ended::toString);
    print(ended, "ivshmem", "virtio-serial", "TCP");
  }

  /** How many programs' bytes travel through memory. */
  private static long through(Program.Ended ended) {
    String said = "bytes travel through memory that this machine shares";
    return ended.output().lines().filter(line -> line.contains(said)).count();
  }

  /** In the end each makes copies over further channels, of which the companion holds a part. */
  @Test
  void manyProgramsRunAtOnceOverAPort() throws Exception {
    List<String> ways =
        List.of("--port", PORT.toString(), "--together", Integer.toString(PROGRAMS_AT_ONCE));
    List<String> programs = List.of(Home.VECTOR_ADD.toString(), STEADY.toString());
    Program.Ended ended = run(ways, programs);
    String right =
        "guest: status=0 of %s, one of %d, which said ok".formatted(STEADY, PROGRAMS_AT_ONCE);
    long ends = ended.output().lines().filter(right::equals).count();
    assertEquals(PROGRAMS_AT_ONCE, ends, ended::toString);
    Matcher companion = COMPANION.matcher(ended.output());
    assertTrue(companion.find(), ended::toString);
    assertTrue(Long.parseLong(companion.group(1)) < COMPANION_MOST_KIB, ended::toString);
  }

  /** By the udev rule of the client's package. */
  @Test
  void aUserOfTheGroupOpensPortAndMemory() throws Exception {
    Program.Ended ended = run(throughMemory("--user"), List.of(Home.VECTOR_ADD.toString()));
    String user = "guest: programs run as uid=1000(guest) gid=1000(guest) groups=";
    assertTrue(ended.output().contains(user), ended::toString);
    assertTrue(ended.output().contains("(outboard)"), ended::toString);
    assertEquals(1, through(ended), ended::toString);
  }

  /** A kernel runs on it while the program writes there, as it could not by pages. */
  @Test
  void pageLockedMemoryLiesInItWhereTheGuestStays() throws Exception {
    List<String> ways = List.of("--port", FIXED_PORT.toString(), "--ivshmem", MEMORY.toString());
    String mapped = Home.PROGRAMS.resolve("mapped") + " talking plain copies";
    String link = Home.PROGRAMS.resolve("link").toString();
    Program.Ended ended = run(ways, List.of(Home.VECTOR_ADD.toString(), mapped, link));
    assertEquals(3, through(ended), ended::toString);
    print(ended, "ivshmem of a guest that stays");
  }

  private static List<String> throughMemory(String... more) {
    List<String> ways = new ArrayList<>(List.of("--port", PORT_BESIDE_MEMORY.toString()));
    ways.addAll(List.of("--ivshmem", MEMORY.toString()));
    ways.addAll(List.of(more));
    return ways;
  }

  private static String tcp() {
    return BACKEND.tcp().replace("127.0.0.1", "10.0.2.2");
  }

  private static Program.Ended run(List<String> ways, List<String> programs) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Home.PATH.resolve("conformance/guest/run-guest").toString(),
                "--client",
                Tarballs.client().toString(),
                "--token",
                BACKEND.token()));
    command.addAll(ways);
    command.addAll(programs);
    Program.Ended ended = Program.run(command, Program.guestWithin(LIMIT), LIMIT);
    assumeTrue(ended.status() != NOT_POSSIBLE_HERE, ended::errors);
    assertEquals(0, ended.status(), ended::toString);
    assertTrue(
        ended.output().contains("the backend is virtio:outboard.0 (from /sys/class/virtio-ports/"),
        ended::toString);
    assertTrue(ended.output().contains(Home.VECTOR_ADD_PASSED), ended::toString);
    return ended;
  }

  private static List<String> programs() throws IOException {
    List<String> programs = new ArrayList<>(List.of(Home.VECTOR_ADD.toString()));
    for (Path program : Home.corpus()) {
      if (program.getParent().endsWith("driver") || program.endsWith("runtime-static/managed")) {
        programs.add(program.toString());
      }
    }
    programs.add(Home.PROGRAMS.resolve("link").toString());
    return programs;
  }

  /** The figures of the last program, a line for each way. */
  private static void print(Program.Ended ended, String... ways) {
    List<String> figures =
        ended.output().lines().filter(line -> line.startsWith("link: ")).toList();
    assertEquals(ways.length, figures.size(), ended::toString);
    for (int i = 0; i < ways.length; i++) {
      System.out.println("under emulation, %s: %s".formatted(ways[i], figures.get(i)));
    }
  }
}
