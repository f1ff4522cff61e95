// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A guest under emulation that moves to another hypervisor of this host while it runs, in the
 * middle of a program.
 */
@Lengthy
final class RunningGuestTest {
  private static final Path FOLDER = Folders.make("outboard-running");
  private static final String PLACE = "unix:" + FOLDER.resolve("moves.sock");
  private static final Pattern DAMAGED =
      Pattern.compile("kernel BUG|BUG: |Oops|general protection|segfault");

  @RegisterExtension
  static final Backend BACKEND =
      new Backend(
              "software",
              "--listen=" + port("first"),
              "--listen=" + port("second"),
              "--ivshmem=" + port("first") + "=" + memory("first"),
              "--ivshmem=" + port("second") + "=" + memory("second"))
          .withFolder(FOLDER);

  private static String port(String hypervisor) {
    return "virtio:" + EmulatedGuest.port(FOLDER.resolve(hypervisor));
  }

  /** Each hypervisor has its own: it writes what comes with a guest into it. */
  private static Path memory(String hypervisor) {
    return Path.of("/dev/shm/" + FOLDER.getFileName() + hypervisor);
  }

  @AfterAll
  static void deleteMemory() throws IOException {
    Files.deleteIfExists(memory("first"));
    Files.deleteIfExists(memory("second"));
  }

  @Test
  void aProgramGoesOnOverTcp() throws Exception {
    SteadyGuest.makeOverTcp(BACKEND);
    goesOn("TCP", List.of(), List.of());
  }

  @Test
  void aProgramGoesOnOverAPort() throws Exception {
    SteadyGuest.makeOverAPort(BACKEND);
    goesOn("virtio-serial", List.of(), List.of());
  }

  /** The memory stays behind. */
  @Test
  void aProgramThatUsesMemoryGoesOnOverTheStream() throws Exception {
    SteadyGuest.makeOverAPort(BACKEND);
    String said = goesOn("ivshmem", device("first"), device("second"));
    assertTrue(said.contains("bytes travel through memory that this machine shares"), said);
    assertTrue(said.contains(" is back; bytes travel over it, and not through shared"), said);
  }

  private static List<String> device(String hypervisor) {
    String file = "memory-backend-file,id=memory,size=64M,share=on,mem-path=" + memory(hypervisor);
    return List.of("-object", file, "-device", "ivshmem-plain,memdev=memory,master=on");
  }

  /** Returns the guest's console, here and there. */
  private static String goesOn(String way, List<String> from, List<String> to) throws Exception {
    try (EmulatedGuest first = EmulatedGuest.boot(FOLDER.resolve("first"), from);
        EmulatedGuest second = EmulatedGuest.from(PLACE, FOLDER.resolve("second"), to)) {
      SteadyGuest.awaitRounds(first);
      first.sendRunning(PLACE);
      first.quit();
      try {
        SteadyGuest.hasMoved(way + ", while it runs", first, second);
        SteadyGuest.endsWell(second);
      } catch (AssertionError e) {
        hasItsMemory(second);
        throw e;
      }
      return first.said() + second.said();
    }
  }

  /** QEMU's emulation was seen to lose memory of guests that have nothing of Outboard, too. */
  private static void hasItsMemory(EmulatedGuest guest) throws IOException {
    boolean damaged = DAMAGED.matcher(guest.said()).find();
    assumeTrue(!damaged, "QEMU has lost memory of the guest: " + guest);
  }
}
