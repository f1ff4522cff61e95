// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.patience.Patience;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Programs behind a hypervisor that gives its host vsock by files. */
final class HybridVsockTest {
  private static final int PORT = 14900;
  private static final Path FOLDER = Folders.make("outboard-vmm");

  @RegisterExtension
  static final Backend BACKEND =
      new Backend(
              "software",
              "--listen=vsock-uds:" + FOLDER.resolve("v.sock") + ":" + PORT,
              "--grace=0")
          .withFolder(FOLDER);

  @TempDir private Path home;
  private HybridVmm vmm;

  @BeforeEach
  void boot() throws IOException {
    vmm = new HybridVmm(FOLDER.resolve("v.sock"), PORT, home.resolve("guest.sock"));
  }

  @AfterEach
  void switchOff() throws IOException {
    vmm.close();
  }

  @Test
  void theSocketIsTheUsersAlone() throws IOException {
    Path socket = FOLDER.resolve("v.sock_" + PORT);
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)));
  }

  private Program.Ended vectorAdd(String endpoint, String token) throws Exception {
    Map<String, String> variables = BACKEND.variables(endpoint, token, home);
    variables.put("OUTBOARD_SHM", "1");
    return Program.run(List.of(Home.VECTOR_ADD.toString()), variables);
  }

  @Test
  void aProgramInTheGuestRuns() throws Exception {
    Program.Ended ended = vectorAdd(vmm.overTcp(), BACKEND.token());
    assertEquals(new Program.Ended(0, Home.VECTOR_ADD_PASSED, ""), ended);
  }

  @Test
  void aGuestWithAWrongTokenIsRefused() throws Exception {
    Program.Ended ended = vectorAdd(vmm.overTcp(), "0".repeat(64));
    assertTrue(ended.status() != 0, ended::toString);
    assertTrue(ended.errors().contains("the token is not this backend's"), ended::toString);
  }

  /** The hypervisor is of the backend's own user, whom a Unix socket would let in. */
  @Test
  void aGuestWithoutATokenIsRefused() throws Exception {
    Program.Ended ended = vectorAdd(vmm.overUnix(), "");
    assertTrue(ended.status() != 0, ended::toString);
    assertTrue(ended.errors().contains("the backend wants a token"), ended::toString);
  }

  /** Memory would be shared with the hypervisor, which does not pass it on. */
  @Test
  void noMemoryIsOfferedToAGuestThatWantsIt() throws Exception {
    Program.Ended plain = vectorAdd(vmm.overUnix(), BACKEND.token());
    assertEquals(new Program.Ended(0, Home.VECTOR_ADD_PASSED, ""), plain);
    Program.Ended insists = vectorAdd(vmm.overUnix().replace("unix:", "shm:"), BACKEND.token());
    assertTrue(insists.errors().contains("it does not share memory"), insists::toString);
  }

  @Test
  void largeCopiesArrive() throws Exception {
    Map<String, String> variables = new HashMap<>(BACKEND.variables(vmm.overTcp()));
    variables.put("OUTBOARD_BULK", "3");
    String program = Home.PROGRAMS.resolve("transfer").toString();
    for (String what : List.of("sizes", "threads")) {
      Program.Ended ended = Program.run(List.of(program, what), variables);
      assertEquals(new Program.Ended(0, "ok\n", ""), ended, what);
    }
  }

  @Test
  void aGuestThatIsSwitchedOffLeavesNoWorker() throws Exception {
    ProcessBuilder builder = new ProcessBuilder(Home.PROGRAMS.resolve("steady").toString());
    Program.setVariables(builder, BACKEND.variables(vmm.overTcp()));
    Process program = builder.redirectErrorStream(true).start();
    BufferedReader lines = program.inputReader(UTF_8);
    assertNotNull(lines.readLine());
    ProcessHandle worker = BACKEND.worker(program.toHandle());
    vmm.close();
    Patience.get(worker.onExit());
    assertEquals(3, Patience.exit(program));
    assertTrue(lines.lines().anyMatch(line -> line.contains("is lost")));
  }
}
