// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.outboard.lease.Form;
import io.outboard.patience.Patience;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Leases, from the command to the ledger. */
final class LeaseTest {
  @RegisterExtension static final Backend BACKEND = new Backend("software:a100*2", "--grace=0");
  @RegisterExtension static final Backend STRICT = new Backend("software", "--require-lease");

  @RegisterExtension static final Backend CUT = new Backend("software:h200-mig");

  private static final String PROGRAM = Home.PROGRAMS.resolve("lease").toString();
  private static final String OUT_OF_MEMORY = "2";
  private static final long MIB = 1 << 20;

  private final Leases leases = new Leases(BACKEND);
  private final List<Process> started = new ArrayList<>();
  @TempDir private Path home;
  private Launcher outboard;
  private String endpoint;

  @BeforeEach
  void makeHome() throws IOException {
    outboard = new Launcher(home);
    outboard.set("OUTBOARD", "unix:" + BACKEND.socket());
    endpoint = BACKEND.endpoints().getFirst();
  }

  @AfterEach
  void releaseAll() throws Exception {
    for (Process process : started) {
      process.destroyForcibly().waitFor();
    }
    Patience.until("nobody has devices", leases::releaseAll);
  }

  private static List<String> words(String... arguments) {
    List<String> words = new ArrayList<>(List.of(PROGRAM));
    words.addAll(List.of(arguments));
    return words;
  }

  private BufferedReader start(Map<String, String> variables, String... arguments)
      throws IOException {
    ProcessBuilder builder = new ProcessBuilder(words(arguments));
    Program.setVariables(builder, variables);
    Process process = builder.start();
    started.add(process);
    return new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
  }

  private static String says(Map<String, String> variables, String... arguments) throws Exception {
    Program.Ended ended = Program.run(words(arguments), variables);
    assertEquals(0, ended.status(), ended::toString);
    assertEquals("", ended.errors());
    return ended.output().strip();
  }

  /** It is told why, and the first call of the vendor's library fails. */
  private static void isRefused(Map<String, String> variables, String why) throws Exception {
    Program.Ended ended = Program.run(words("init"), variables);
    assertTrue(ended.errors().contains(why), ended::toString);
    assertNotEquals("0", ended.output().strip(), ended::toString);
  }

  private static Form part(int gpus, long mib, int share) {
    return new Form().with("gpus", gpus).with("memory", mib * MIB).with("share", share);
  }

  @Test
  void aLeaseIsMadeUsedReleasedAndInTheLedger() throws Exception {
    Program.Ended made =
        outboard.shell(
            "outboard lease --model a100 --arch ampere --memory 256MiB --share 0.5 --for 10m --tenant alice");
    assertEquals(0, made.status(), made::toString);
    assertTrue(made.output().contains("export OUTBOARD='unix:" + BACKEND.socket()), made::toString);
    String id = made.errors().replaceAll("(?s).*lease (\\p{XDigit}+) is granted.*", "$1");
    String seen = "1 devices, 256 MiB, free 256 of 256\n";
    assertEquals(
        new Program.Ended(0, seen, ""), outboard.run("run", "--lease", id, PROGRAM, "see"));
    Program.Ended more = outboard.run("run", "--lease=" + id, PROGRAM, "take", "257");
    assertEquals(new Program.Ended(0, OUT_OF_MEMORY + "\n", ""), more);
    Program.Ended over = outboard.run("release", id);
    assertTrue(over.output().startsWith("lease " + id + " is released"), over::toString);
    checkUsage(id);
  }

  /** Nothing else measures a software GPU, so a whole one is measured where programs run. */
  @Test
  void aWholeSoftwareGpuIsBusyForAPartOfItsTime() throws Exception {
    Form lease = leases.request(new Form());
    Program.Ended ran =
        outboard.run("run", "--lease", lease.get("id"), Home.PROGRAMS.resolve("steady") + "", "5");
    assertEquals(0, ran.status(), ran::toString);
    leases.change("release", lease);
    Form row = leases.usage(lease).getLast();
    long busy = row.number("busy", -1);
    assertTrue(busy > 0 && busy < row.number("to", 0) - row.number("from", 0), row::toString);
  }

  /** Variables, heaps, stacks and local memory, as {@code quota.c} asks for them. */
  @Test
  void memoryThatNoCallNamesIsLimitedToo() throws Exception {
    Map<String, String> variables = leases.variables(endpoint, leases.request(part(1, 256, 500)));
    List<String> quota = List.of(Home.PROGRAMS.resolve("quota").toString());
    Program.Ended ended = Program.run(quota, variables);
    assertTrue(ended.output().endsWith("quota: PASSED\n"), ended::toString);
  }

  private void checkUsage(String id) throws Exception {
    Program.Ended ended = outboard.run("usage", "--format=json");
    assertEquals(0, ended.status(), ended::toString);
    JsonNode rows = new ObjectMapper().readTree(ended.output());
    JsonNode row = rows.get(rows.size() - 1);
    assertEquals(id, row.get("lease").asText());
    assertEquals("alice", row.get("tenant").asText());
    assertEquals(0.5, row.get("share").asDouble());
    assertTrue(row.get("bytesIn").asLong() > 0 && row.get("seconds").asDouble() > 0, row::toString);
    assertTrue(row.get("last").asBoolean());
    Program.Ended csv = outboard.run("usage", "--format=csv");
    assertEquals(rows.size() + 1, csv.output().lines().count(), csv::toString);
    assertTrue(outboard.run("usage").output().contains(id), "the table");
  }

  @Test
  void overEveryCommunicatorTheTokenIsTheLease() throws Exception {
    Form lease = leases.request(part(1, 100, 1000));
    for (String each : BACKEND.endpoints()) {
      Map<String, String> variables = leases.variables(each, lease);
      assertEquals("1 devices, 100 MiB, free 100 of 100", says(variables, "see"), each);
      assertEquals(OUT_OF_MEMORY, says(variables, "take", "101"), each);
    }
  }

  @Test
  void allProcessesOfALeaseHaveItsMemoryTogether() throws Exception {
    Map<String, String> variables = leases.variables(endpoint, leases.request(part(1, 100, 500)));
    BufferedReader first = start(variables, "hold", "60");
    assertEquals("0", first.readLine());
    assertEquals(OUT_OF_MEMORY, says(variables, "take", "41"));
    assertEquals("0", says(variables, "take", "40"));
    // The last program's memory is free when its worker has ended.
    Patience.until(
        "40 MiB are free",
        () -> says(variables, "see").equals("1 devices, 100 MiB, free 40 of 100"));
    started.getFirst().destroyForcibly().waitFor();
    Patience.until(
        "what a killed process had is free", () -> says(variables, "take", "100").equals("0"));
  }

  @Test
  void tenantsDoNotSeeEachOther() throws Exception {
    Form one = leases.request(part(1, 50, 1000).with("tenant", "one"));
    Form two = leases.request(part(1, 70, 1000).with("tenant", "two"));
    assertEquals("1 devices, 50 MiB, free 50 of 50", says(leases.variables(endpoint, one), "see"));
    assertEquals("1 devices, 70 MiB, free 70 of 70", says(leases.variables(endpoint, two), "see"));
    assertNotEquals(one.get("uuids"), two.get("uuids"));
    isRefused(BACKEND.variables(endpoint), "to tenant one (lease " + one.get("id"));
  }

  @Test
  void whoHasNoLeaseGetsWhatIsNotLeased() throws Exception {
    leases.request(part(1, 0, 1000));
    assertTrue(says(BACKEND.variables(endpoint), "see").startsWith("1 devices"));
  }

  @Test
  void whoWaitsGetsWhatIsGivenBack() throws Exception {
    Form first = leases.request(part(2, 0, 1000));
    Process waiting = outboard.start("lease", "--gpus=2", "--for=1m");
    started.add(waiting);
    Patience.until("somebody waits", () -> leases.alive().size() == 2);
    leases.change("release", first);
    assertEquals(0, waiting.waitFor());
    Program.Ended impatient = outboard.run("lease", "--gpus=2", "--for=1m", "--wait=1s");
    assertEquals(1, impatient.status(), impatient::toString);
    assertTrue(impatient.errors().contains("no GPUs were free"), impatient::toString);
    assertEquals(1, leases.alive().size(), "it does not wait any more");
  }

  @Test
  void theEndOfALeaseEndsItsPrograms() throws Exception {
    Form lease = leases.request(part(1, 100, 1000));
    Map<String, String> variables = leases.variables(endpoint, lease);
    BufferedReader program = start(variables, "work");
    assertEquals("working", program.readLine());
    assertEquals("revoked", leases.change("revoke", lease).get("state"));
    assertNotEquals("0", program.readLine(), "its calls fail");
    isRefused(variables, "is of no lease");
  }

  @Test
  void aLeaseEndsWithItsTime() throws Exception {
    Form lease = leases.request(part(2, 0, 1000));
    Form next = leases.ask("lease", new Form().with("gpus", 2).with("seconds", 2)).getFirst();
    BufferedReader program = start(leases.variables(endpoint, lease), "work");
    assertEquals("working", program.readLine());
    List<Form> unused =
        leases.ask("renew", new Form().with("id", lease.get("id")).with("seconds", 1));
    assertNotEquals("0", program.readLine(), "its calls fail");
    for (Form each : List.of(lease, next)) {
      Patience.until("its time is over", () -> leases.find(each).get("state").equals("expired"));
    }
  }

  @Test
  void drainingWaitsForPrograms() throws Exception {
    Form lease = leases.request(part(1, 100, 1000));
    Map<String, String> variables = leases.variables(endpoint, lease);
    BufferedReader program = start(variables, "hold", "1");
    assertEquals("0", program.readLine());
    assertEquals("draining", leases.change("drain", lease).get("state"));
    isRefused(variables, "is draining");
    started.getFirst().getOutputStream().close();
    Patience.until("it is released", () -> leases.find(lease).get("state").equals("released"));
  }

  @Test
  void aGpuThatIsHandedOverIsNobodysElse() throws Exception {
    Program.Ended made = outboard.run("lease", "--mode", "device", "--for", "10m");
    assertEquals(0, made.status(), made::toString);
    Form lease = leases.alive().getFirst();
    String uuid = lease.get("uuids");
    assertEquals(
        "export NVIDIA_VISIBLE_DEVICES='%1$s'\nexport CUDA_VISIBLE_DEVICES='%1$s'\n"
            .formatted(uuid),
        made.output());
    assertTrue(says(BACKEND.variables(endpoint), "see").startsWith("1 devices"));
    Form whole = leases.request(part(1, 0, 1000));
    assertNotEquals(uuid, whole.get("uuids"));
    assertEquals("requested", leases.request(part(1, 1, 1)).get("state"), "no GPU is left");
    Program.Ended handover = outboard.run("handover", lease.get("id"));
    assertTrue(handover.output().contains("device=" + uuid), handover::toString);
    assertTrue(handover.output().contains("none: software GPUs"), handover::toString);
    Program.Ended xml = outboard.run("handover", "--libvirt", lease.get("id"));
    assertTrue(xml.errors().contains("is on no bus"), xml::toString);
    assertEquals(1, outboard.run("suspend", lease.get("id")).status());
  }

  /** A page tells where the next one begins; without a limit all of them are printed. */
  @Test
  void leasesThatAreOverHavePages() throws Exception {
    Set<String> ids = new HashSet<>();
    for (int i = 0; i < 3; i++) {
      Form lease = leases.request(part(1, 100, 1000));
      leases.change("release", lease);
      ids.add(lease.get("id"));
    }
    assertTrue(ids(outboard.run("leases", "--all", "--json")).containsAll(ids));
    Program.Ended first = outboard.run("leases", "--all", "--json", "--limit=2");
    assertEquals(2, ids(first).size(), first::toString);
    String cursor = first.errors().strip().replaceFirst("(?s).*--after ", "");
    Program.Ended second =
        outboard.run("leases", "--all", "--json", "--limit=2", "--after", cursor);
    assertFalse(ids(second).isEmpty(), second::toString);
    assertTrue(Collections.disjoint(ids(first), ids(second)), second::toString);
  }

  private static Set<String> ids(Program.Ended leases) {
    assertEquals(0, leases.status(), leases::toString);
    return Pattern.compile("\"id\": *\"([0-9a-f]+)\"")
        .matcher(leases.output())
        .results()
        .map(found -> found.group(1))
        .collect(Collectors.toSet());
  }

  @Test
  void aLeasesTokenControlsNothing() throws Exception {
    Form lease = leases.request(part(1, 100, 1000));
    outboard.set("OUTBOARD", BACKEND.tcp());
    outboard.set("OUTBOARD_TOKEN", lease.get("token"));
    Program.Ended refused = outboard.run("leases");
    assertEquals(1, refused.status(), refused::toString);
    assertTrue(refused.errors().contains("does not control"), refused::toString);
    outboard.set("OUTBOARD_TOKEN", BACKEND.token());
    assertEquals(0, outboard.run("leases").status());
  }

  @Test
  void aBackendThatWantsALeaseSaysSo() throws Exception {
    Map<String, String> variables = new HashMap<>(STRICT.variables("unix:" + STRICT.socket()));
    for (String token : List.of("", STRICT.token())) {
      variables.put("OUTBOARD_TOKEN", token);
      isRefused(variables, "this backend wants a lease");
    }
    Form lease = new Leases(STRICT).request(new Form());
    variables.put("OUTBOARD_TOKEN", lease.get("token"));
    assertEquals("0", says(variables, "init"));
    variables.put("OUTBOARD_TOKEN", "0".repeat(64));
    isRefused(variables, "is of no lease");
  }

  @Test
  void whatCannotBeIsRefused() throws Exception {
    Program.Ended many = outboard.run("lease", "--gpus=3");
    assertEquals(1, many.status(), many::toString);
    assertTrue(many.errors().contains("2 of 3 GPUs"), many::toString);
    Program.Ended hopper = outboard.run("lease", "--arch=hopper");
    assertEquals(1, hopper.status(), hopper::toString);
    assertTrue(hopper.errors().contains("0 of 1 GPUs that a lease wants"), hopper::toString);
    for (String wrong :
        List.of(
            "--arch=fermi", "--share=0", "--share=1.5", "--memory=much", "--for=0h", "--gpus=0")) {
      Program.Ended ended = outboard.run("lease", wrong);
      assertEquals(2, ended.status(), ended::toString);
      assertTrue(ended.errors().contains("--help"), ended::toString);
    }
    Program.Ended none = outboard.run("release", "none");
    assertEquals(1, none.status(), none::toString);
    assertTrue(none.errors().contains("there is no lease none"), none::toString);
  }

  @Test
  void aSliceIsHandedOverAndTheOthersStay() throws Exception {
    outboard.set("OUTBOARD", "unix:" + CUT.socket());
    Program.Ended made = outboard.run("lease", "--mode", "mig", "--profile", "1g.18gb");
    assertEquals(0, made.status(), made::toString);
    String id = made.errors().replaceAll("(?s).*lease (\\p{XDigit}+) is granted.*", "$1");
    String uuid = made.output().replaceAll("(?s).*CUDA_VISIBLE_DEVICES='(\\S+)'.*", "$1");
    assertTrue(uuid.startsWith("MIG-"), made::toString);
    assertEquals(3, slices(uuid), "those that are left");
    Program.Ended handover = outboard.run("handover", id);
    assertTrue(handover.output().contains("nvidia.com/gpu=0:0"), handover::toString);
    Program.Ended machine = outboard.run("handover", "--libvirt", id);
    assertNotEquals(0, machine.status(), machine::toString);
    assertEquals(0, outboard.run("release", id).status());
    assertEquals(4, slices("nobody's"), "all");
  }

  /** How many slices a program without a lease has, which are not this one. */
  private int slices(String taken) throws Exception {
    JsonNode devices = new ObjectMapper().readTree(outboard.run("devices", "--json").output());
    List<String> uuids = devices.get("devices").findValuesAsText("uuid");
    assertTrue(uuids.stream().allMatch(uuid -> uuid.startsWith("MIG-")), uuids::toString);
    assertTrue(!uuids.contains(taken), uuids::toString);
    return uuids.size();
  }
}
