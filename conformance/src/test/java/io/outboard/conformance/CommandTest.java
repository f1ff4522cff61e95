// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The commands that say something about Outboard or a backend. */
final class CommandTest {
  @RegisterExtension static final Backend BACKEND = new Backend();

  @TempDir private Path home;
  private Launcher outboard;
  private String backend;

  @BeforeEach
  void makeHome() throws IOException {
    outboard = new Launcher(home);
    backend = "unix:" + BACKEND.socket();
  }

  @Test
  void devicesAreATable() throws Exception {
    Program.Ended ended = outboard.run("devices", "--on", backend);
    assertEquals(0, ended.status(), ended::toString);
    String[] lines = ended.output().split("\n", -1);
    assertEquals("backend " + backend + " (from the command line)", lines[0]);
    assertTrue(lines[1].matches(" +name +capability +multiprocessors +memory"), lines[1]);
    assertTrue(lines[2].matches("0 +Outboard Software GPU +\\d+\\.\\d+ +\\d+ +\\d+ MiB"), lines[2]);
  }

  @Test
  void devicesAreJson() throws Exception {
    outboard.set("OUTBOARD", backend);
    Program.Ended ended = outboard.run("devices", "--json");
    assertEquals(0, ended.status(), ended::toString);
    JsonNode answer = new ObjectMapper().readTree(ended.output());
    assertEquals(backend, answer.get("backend").asText());
    assertEquals("OUTBOARD", answer.get("from").asText());
    assertEquals(1, answer.get("devices").size());
    JsonNode device = answer.get("devices").get(0);
    assertEquals(0, device.get("number").asInt(-1));
    assertEquals("Outboard Software GPU", device.get("name").asText());
    assertTrue(device.get("computeCapability").asText().matches("\\d+\\.\\d+"));
    assertTrue(device.get("memory").asLong() > 0);
    assertTrue(device.get("multiprocessors").asInt() > 0);
  }

  @Test
  void whereThereIsNoBackendThatIsSaid() throws Exception {
    Program.Ended ended = outboard.run("devices", "--on", "unix:/nobody/there");
    assertEquals(1, ended.status(), ended::toString);
    assertEquals("", ended.output());
    assertTrue(
        ended.errors().startsWith("outboard: cannot connect to unix:/nobody/there"),
        ended::toString);
  }

  @Test
  void aPortIsNotCutToItsLowestBits() throws Exception {
    String gone = "tcp://127.0.0.1:" + (65_536 + 1);
    Program.Ended ended = outboard.run("run", "--on", gone, "--", Home.VECTOR_ADD.toString());
    assertEquals(126, ended.status(), ended::toString);
    assertTrue(ended.errors().contains("with a port of at most 65535"), ended::toString);
  }

  @Test
  void anEndpointWithoutWhatItNeedsIsSaid() throws Exception {
    for (String[] command : new String[][] {{"devices", "--on"}, {"serve", "--listen"}}) {
      Program.Ended ended = outboard.run(command[0], command[1], "tcp:127.0.0.1:14900");
      assertEquals(1, ended.status(), ended::toString);
      assertEquals("outboard: 'tcp:127.0.0.1:14900': expected tcp://HOST\n", ended.errors());
    }
  }

  @Test
  void thereIsOneReasonWhyNothingIsServed() throws Exception {
    Program.Ended ended = outboard.run("serve", "--device", "opencl:nobodys");
    assertEquals(1, ended.status(), ended::toString);
    assertTrue(ended.errors().contains("this backend has no OpenCL: "), ended::toString);
  }

  @Test
  void whatIsNoBackendIsWrongUsage() throws Exception {
    for (String wrong : new String[] {"gpu", "http://gpu"}) {
      Program.Ended ended = outboard.run("devices", "--on", wrong);
      assertEquals(2, ended.status(), ended::toString);
      assertTrue(ended.errors().contains(wrong), ended::toString);
    }
  }

  @Test
  void environmentIsForAShell() throws Exception {
    outboard.set("LD_LIBRARY_PATH", "/it's mine");
    Program.Ended ended =
        outboard.shell(
            "eval \"$(outboard env --on %s)\"; echo \"${LD_LIBRARY_PATH##*:}\"; '%s'"
                .formatted(backend, Home.VECTOR_ADD));
    assertEquals(new Program.Ended(0, "/it's mine\n" + Home.VECTOR_ADD_PASSED, ""), ended);
  }

  @Test
  void anEnvironmentThatCannotBeFailsInTheShellThatEvaluatesIt() throws Exception {
    outboard.set("OUTBOARD_VSOCK", "0");
    for (String line :
        new String[] {"env", "env --on ssh://host", "env --on nowhere", "env --wrong"}) {
      Program.Ended ended = outboard.shell("eval \"$(outboard " + line + ")\" && echo set");
      assertEquals(1, ended.status(), line + ": " + ended);
      assertEquals("", ended.output(), ended::toString);
      assertTrue(ended.errors().startsWith("outboard: "), ended::toString);
    }
  }

  @Test
  void whatIsNoTokenIsSaidSo() throws Exception {
    outboard.set("OUTBOARD", backend);
    outboard.set("OUTBOARD_TOKEN", "abc");
    for (String line : new String[] {"run -- " + Home.VECTOR_ADD, "devices", "serve"}) {
      Program.Ended ended = outboard.run(line.split(" "));
      assertNotEquals(0, ended.status(), line + ": " + ended);
      assertTrue(ended.errors().contains("OUTBOARD_TOKEN"), line + ": " + ended);
      assertTrue(ended.errors().contains("64 hexadecimal digits"), line + ": " + ended);
    }
  }

  @Test
  void aCommandEndsWhenNobodyReadsIt() throws Exception {
    Program.Ended ended =
        outboard.shell(
            "outboard top --json --every 1s --on '%s' | head -n 1 >/dev/null;".formatted(backend)
                + " echo ${PIPESTATUS[0]}; outboard leases --on '%s' >/dev/full"
                    .formatted(backend));
    assertEquals("141\n", ended.output(), ended::toString);
    assertEquals(1, ended.status(), ended::toString);
    assertTrue(ended.errors().contains("standard output cannot be written"), ended::toString);
  }

  @Test
  void variablesThatCannotBePrintedAreAnError() throws Exception {
    Program.Ended ended = outboard.shell("outboard env --on '%s' >/dev/full".formatted(backend));
    assertEquals(new Program.Ended(1, "", "outboard: standard output cannot be written\n"), ended);
  }

  @Test
  void whatNobodyGotIsTakenBack() throws Exception {
    outboard.set("OUTBOARD", backend);
    for (String line : new String[] {"lease --for 1h", "lease --for 1h --detach"}) {
      Program.Ended ended = outboard.shell("outboard " + line + " >/dev/full");
      assertEquals(1, ended.status(), line + ": " + ended);
      Program.Ended leases = outboard.run("leases", "--json");
      assertEquals("[]\n", leases.output(), line + ": " + leases);
    }
    outboard.shell("outboard token create --role reader >/dev/full");
    Program.Ended tokens = outboard.run("token", "list");
    assertTrue(tokens.output().contains("revoked"), tokens::toString);
    assertFalse(tokens.output().contains("good"), tokens::toString);
  }

  @Test
  void completionKnowsCommandsAndOptions() throws Exception {
    Program.Ended ended =
        outboard.shell(
            """
            source <(outboard completion)
            complete() {
              COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
              _complete_outboard 2>/dev/null # of compopt, which wants a terminal
              echo "${COMPREPLY[*]}"
            }
            complete outboard dev
            complete outboard devices --j
            complete outboard serve --ins
            """);
    assertEquals(new Program.Ended(0, "devices\n--json\n--insecure-tcp\n", ""), ended);
  }

  @Test
  void completionIsForTheShellsThatItNames() throws Exception {
    String script = outboard.run("completion").output();
    for (String shell : List.of("bash", "zsh")) {
      assertEquals(script, outboard.run("completion", shell).output());
    }
    Program.Ended fish = outboard.run("completion", "fish");
    assertEquals(2, fish.status(), fish::toString);
    assertTrue(fish.errors().contains("[bash, zsh]"), fish::toString);
  }

  @Test
  void everyCommandExplainsItself() throws Exception {
    Program.Ended all = outboard.run("--help");
    assertEquals(0, all.status(), all::toString);
    for (String command :
        List.of("demo", "doctor", "test", "bench", "dist", "completion", "version")) {
      assertTrue(all.output().contains("\n  " + command + " "), command);
    }
    for (String command :
        List.of(
            "run", "serve", "devices", "plugins", "env", "lease", "leases", "release", "renew",
            "drain", "report", "revoke", "usage", "top", "nodes", "tenant", "token")) {
      assertTrue(all.output().contains("\n  " + command + " "), command);
      Program.Ended ended = outboard.run(command, "--help");
      assertEquals(0, ended.status(), ended::toString);
      assertTrue(ended.output().startsWith("Usage: outboard " + command), ended::toString);
    }
  }

  @Test
  void whatIsNoCommandIsWrongUsage() throws Exception {
    for (String line : new String[] {"", "serv", "devices --jsn", "env --wrong"}) {
      Program.Ended ended = outboard.run(line.isEmpty() ? new String[0] : line.split(" "));
      assertEquals(2, ended.status(), ended::toString);
      assertTrue(ended.errors().contains("--help"), ended::toString);
    }
  }
}
