// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.outboard.lease.Form;
import io.outboard.patience.Patience;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A GPU fails while programs run on it and on another one. */
final class DeviceFailureTest {
  private static final Path DRILL =
      Path.of(
          System.getProperty("java.io.tmpdir"), "outboard-drill-" + ProcessHandle.current().pid());

  @RegisterExtension
  static final Backend BACKEND = new Backend("software:a100*2", "--drill=" + DRILL, "--grace=0");

  private static final String WHY = "Xid 79, fallen off the bus";

  private final Leases leases = new Leases(BACKEND);
  private final List<Process> started = new ArrayList<>();
  @TempDir private Path home;

  @AfterEach
  void stop() throws Exception {
    Files.deleteIfExists(DRILL);
    for (Process process : started) {
      process.destroyForcibly().waitFor();
    }
  }

  private BufferedReader work(Form lease) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(Home.PROGRAMS.resolve("lease").toString(), "work");
    Program.setVariables(builder, leases.variables(BACKEND.endpoints().getFirst(), lease));
    Process process = builder.start();
    started.add(process);
    return new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
  }

  private long calls(Form lease) throws IOException {
    return leases.ask("sessions", new Form()).stream()
        .filter(session -> session.get("lease").equals(lease.get("id")))
        .mapToLong(session -> session.number("calls", 0))
        .sum();
  }

  private String numberOf(Form lease) throws IOException {
    return leases.ask("devices", new Form()).stream()
        .filter(device -> device.get("uuid").equals(lease.get("uuids")))
        .map(device -> device.get("number"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void itsProgramsEndAndOthersGoOn() throws Exception {
    Form failing = leases.request(new Form());
    Form other = leases.request(new Form());
    BufferedReader ends = work(failing);
    BufferedReader goesOn = work(other);
    assertEquals("working", ends.readLine());
    assertEquals("working", goesOn.readLine());
    String number = numberOf(failing);
    Files.writeString(DRILL, number + " " + WHY + "\n");
    assertNotEquals("0", ends.readLine(), "its calls fail");
    String reason = "GPU " + number + " failed: " + WHY;
    Patience.until("its lease ends", () -> leases.find(failing).get("state").equals("revoked"));
    assertEquals(reason, leases.find(failing).get("reason"));
    long before = calls(other);
    Patience.until("the other one goes on", () -> calls(other) > before);
    assertEquals("active", leases.find(other).get("state"));
    isSeen(number);
    isGivenOutAgain(number);
  }

  private void isSeen(String number) throws Exception {
    Launcher outboard = new Launcher(home);
    outboard.set("OUTBOARD", "unix:" + BACKEND.socket());
    JsonNode nodes = new ObjectMapper().readTree(outboard.run("nodes", "--json").output());
    assertEquals(1, nodes.get(0).get("failed").asInt());
    String top = outboard.run("top", "--once").output();
    assertTrue(top.contains("failed: " + WHY), top);
    assertEquals(1, outboard.run("lease", "--gpus=2").status(), "there is only one");
    assertEquals(0, outboard.run("nodes", "--readmit=" + number).status());
    assertEquals(1, outboard.run("nodes", "--readmit=" + number).status(), "it has not failed");
  }

  private void isGivenOutAgain(String number) throws IOException {
    assertEquals(number, numberOf(leases.request(new Form())));
  }
}
