// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.outboard.lease.Form;
import io.outboard.patience.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code outboard docker run} and {@code outboard apptainer exec}: a lease in front of a container.
 * The engines are those of {@code conformance/engine}; {@link ContainerEnginesTest} has real ones.
 */
final class ContainersTest {
  @RegisterExtension static final Backend BACKEND = new Backend("software:2");

  private static final Path ENGINES = Home.PATH.resolve("conformance/engine");
  private static final String GRANTED = "outboard: lease [0-9a-f]+ is granted, .*\n";

  @TempDir private Path home;
  private Path root;
  private Launcher outboard;
  private final Leases leases = new Leases(BACKEND);

  @BeforeAll
  static void assumePossible() throws Exception {
    assumeTrue(BareRoot.isPermitted(), "this machine permits no user namespaces (unshare)");
  }

  @BeforeEach
  void make() throws Exception {
    root = Files.createDirectory(home.resolve("root"));
    BareRoot bare = new BareRoot(root, Home.VECTOR_ADD);
    bare.addPlaces("opt/outboard/lib", "opt/outboard/bin");
    Files.createFile(root.resolve("run/outboard/outboard.sock"));
    outboard = new Launcher(Files.createDirectory(home.resolve("user")));
    outboard.set("PATH", ENGINES + ":" + System.getenv("PATH"));
    outboard.set("ROOT", root.toString());
    outboard.set("OUTBOARD", "unix:" + BACKEND.socket());
  }

  @AfterEach
  void nothingIsLeft() throws Exception {
    Patience.until("leases are left", () -> leases.alive().isEmpty());
    try (var left = Files.list(outboard.temporary())) {
      assertEquals(List.of(), left.toList());
    }
  }

  @Test
  void aContainersProgramUsesTheLeasedGpus() throws Exception {
    Program.Ended ended = outboard.run("docker", "--share=50%", "run", "--rm", "bare");
    assertEquals(0, ended.status(), ended::toString);
    assertEquals(Home.VECTOR_ADD_PASSED, ended.output());
    assertTrue(ended.errors().matches(GRANTED), ended::toString);
    Patience.until(
        "it is in the ledger",
        () ->
            leases.ask("usage", new Form()).stream()
                .anyMatch(row -> row.number("share", 0) == 500));
  }

  @Test
  void theStatusIsTheContainers() throws Exception {
    Program.Ended ended =
        outboard.run("docker", "run", "--gpus=2", "--rm", "bare", "/bin/sh", "-c", "exit 7");
    assertEquals(7, ended.status(), ended::toString);
  }

  /** Nobody can give it back then but the process that stays beside the container. */
  @Test
  void aContainerWhoseCommandIsKilledKeepsItsLease() throws Exception {
    Path end = root.resolve("tmp/end");
    assertEquals(0, Program.run(List.of("mkfifo", end.toString()), Map.of()).status());
    Process command =
        outboard.start("docker", "run", "bare", "/bin/sh", "-c", "echo begun; read end </tmp/end");
    assertEquals("begun", command.inputReader().readLine());
    command.destroyForcibly().waitFor();
    assertEquals(1, leases.alive().size());
    Files.writeString(end, "now\n");
  }

  /** It still has the socket and the token: both are worth nothing then. */
  @Test
  void aContainerHasNothingOfALeaseThatIsOver() throws Exception {
    Path go = root.resolve("tmp/go");
    assertEquals(0, Program.run(List.of("mkfifo", go.toString()), Map.of()).status());
    String program = "echo begun; read go </tmp/go; /work/vectorAdd";
    Process command = outboard.start("docker", "run", "bare", "/bin/sh", "-c", program);
    assertEquals("begun", command.inputReader().readLine());
    leases.change("release", leases.alive().getFirst());
    Files.writeString(go, "now\n");
    assertEquals(1, command.waitFor());
    String errors = outboard.errors();
    assertTrue(errors.contains("the token is of no lease"), errors);
  }

  @Test
  void whoeverGivesUpWaitingGetsNothing() throws Exception {
    Form all = leases.request(new Form().with("gpus", 2));
    Process waiting = outboard.start("docker", "run", "--rm", "bare");
    Patience.until("it waits", () -> leases.alive().size() == 2);
    waiting.destroy();
    Patience.until("it is given up", () -> leases.alive().size() == 1);
    leases.change("release", all);
  }

  @Test
  void whatIsPrintedCanBeTyped() throws Exception {
    Program.Ended printed = outboard.run("docker", "--print", "run", "--rm", "bare");
    assertEquals(0, printed.status(), printed::toString);
    String typed = printed.output().strip().replace("\n", ";");
    Program.Ended ended = outboard.shell(typed);
    assertTrue(leases.releaseAll());
    assertTrue(ended.output().startsWith(Home.VECTOR_ADD_PASSED), ended::toString);
  }

  @Test
  void apptainersProgramsUseTheLeasedGpus() throws Exception {
    String program = "/work/vectorAdd";
    Program.Ended ended = outboard.run("apptainer", "exec", "--nv", "--cleanenv", "bare", program);
    assertEquals(0, ended.status(), ended::toString);
    assertEquals(Home.VECTOR_ADD_PASSED, ended.output());
    assertTrue(ended.errors().matches(GRANTED), ended::toString);
  }

  /** Its shell would say of each of our programs that it is not there. */
  @Test
  void anImageOfMuslIsSaidSo() throws Exception {
    MuslRoot.assumePossible();
    Path musl = Files.createDirectory(home.resolve("musl"));
    MuslRoot.make(musl);
    outboard.set("ROOT", musl.toString());
    refused(126, MuslRoot.REFUSAL, "docker", "run", "--rm", "bare", MuslRoot.PROGRAM);
    refused(126, MuslRoot.REFUSAL, "apptainer", "exec", "bare", MuslRoot.PROGRAM);
  }

  @Test
  void itSaysWhyNothingIsRun() throws Exception {
    refused(1, "ends with 125", "docker", "run", "other");
    refused(1, "this backend has 2 of 3 GPUs", "docker", "run", "--gpus", "3", "bare");
    refused(
        1, "a network of its own", "docker", "--on=tcp://localhost:1", "--print", "run", "bare");
    refused(2, "'docker run' alone", "docker", "ps");
    refused(2, "wants an image", "docker", "run", "--rm");
    refused(2, "'apptainer run' alone", "apptainer", "shell", "bare");
    refused(2, "wants a program", "apptainer", "exec", "bare");
    refused(2, "wants a program", "lxc-execute", "-n", "one");
    refused(2, "names GPUs of this machine", "docker", "run", "--gpus", "device=0", "bare");
  }

  private void refused(int status, String why, String... words) throws Exception {
    Program.Ended ended = outboard.run(words);
    assertTrue(ended.status() == status && ended.errors().contains(why), ended::toString);
  }

  /** Containers share a lease's GPUs when each of them has it as a device. */
  @Test
  void aLeaseIsADeviceOfContainers() throws Exception {
    Form lease = leases.request(new Form().with("gpus", 1));
    Program.Ended ended = outboard.run("cdi", lease.get("id"));
    assertEquals(0, ended.status(), ended::toString);
    JsonNode device = new ObjectMapper().readTree(ended.output()).get("devices").get(0);
    assertEquals("lease:" + lease.get("id"), device.get("name").asText());
    String edits = device.get("containerEdits").toString();
    assertTrue(edits.contains("OUTBOARD_TOKEN=" + lease.get("token")), edits);
    assertTrue(edits.contains(BACKEND.socket().toString()), edits);
    leases.change("release", lease);
    refused(1, "no program can use it", "cdi", lease.get("id"));
  }

  @Test
  void itHasHelp() throws IOException, InterruptedException {
    String[][] all = {
      {"docker", "--help"},
      {"docker", "run", "--help"},
      {"apptainer", "exec", "--help"},
      {"lxc-attach", "--help"}
    };
    for (String[] words : all) {
      Program.Ended ended = outboard.run(words);
      assertEquals(0, ended.status(), ended::toString);
      assertTrue(ended.output().contains("/opt/outboard"), ended::toString);
    }
  }
}
