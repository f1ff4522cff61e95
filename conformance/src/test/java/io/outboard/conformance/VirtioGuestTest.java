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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The programs of the driver interface, and one of managed memory, in a virtual machine under
 * emulation, over a real virtio-serial port of QEMU's; and what the way costs, beside TCP in the
 * same guest.
 */
@Tag("long")
final class VirtioGuestTest {
  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final int NOT_POSSIBLE_HERE = 2;
  private static final Path SOCKET = socket();

  @RegisterExtension
  static final Backend BACKEND = new Backend("software", "--listen=virtio:" + SOCKET);

  private static Path socket() {
    try {
      return Files.createTempDirectory("outboard-guest").resolve("port.sock");
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void programsRunOverAPort() throws Exception {
    List<String> programs = new ArrayList<>(List.of(Home.VECTOR_ADD.toString()));
    for (Path program : Home.corpus()) {
      if (program.getParent().endsWith("driver") || program.endsWith("runtime-static/managed")) {
        programs.add(program.toString());
      }
    }
    programs.add(Home.PROGRAMS.resolve("link").toString());
    Program.Ended ended =
        Program.run(command(programs), Map.of("OUTBOARD_GUEST_SECONDS", "290"), LIMIT);
    assumeTrue(ended.status() != NOT_POSSIBLE_HERE, ended::errors);
    assertEquals(0, ended.status(), ended::toString);
    assertTrue(
        ended.output().contains("the backend is virtio:outboard.0 (from /sys/class/virtio-ports/"),
        ended::toString);
    assertTrue(ended.output().contains(Home.VECTOR_ADD_PASSED), ended::toString);
    List<String> figures =
        ended.output().lines().filter(line -> line.startsWith("link: ")).toList();
    assertEquals(2, figures.size(), ended::toString);
    System.out.println("under emulation, virtio-serial: " + figures.getFirst());
    System.out.println("under emulation, TCP:           " + figures.getLast());
  }

  private static List<String> command(List<String> programs) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Home.PATH.resolve("conformance/guest/run-guest").toString(),
                "--client",
                Tarballs.client().toString(),
                "--on",
                "",
                "--port",
                SOCKET.toString(),
                "--also",
                BACKEND.tcp().replace("127.0.0.1", "10.0.2.2"),
                "--token",
                BACKEND.token()));
    command.addAll(programs);
    return command;
  }
}
