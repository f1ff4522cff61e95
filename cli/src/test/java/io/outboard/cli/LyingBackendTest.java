// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.lease.Form;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** Commands that ask a backend which means harm to their user. */
final class LyingBackendTest {
  private static final List<String> COMMANDS =
      List.of(
          "lease",
          "lease --detach",
          "lease --json",
          "lease --mode device",
          "leases",
          "leases --all",
          "leases x --token",
          "leases x --place",
          "leases --json",
          "release x",
          "renew x --for 1h",
          "drain x",
          "suspend x",
          "resume x",
          "revoke x",
          "handover x",
          "top --once --every 1s",
          "top --once --json --every 1s",
          "nodes",
          "node list",
          "node invite x",
          "usage",
          "usage --format csv",
          "usage --by tenant",
          "tenant list",
          "token list",
          "token create --role user --tenant x");

  private static final List<String> NUMBERS =
      List.of(
          "gpus",
          "memory",
          "share",
          "priority",
          "sessions",
          "away",
          "grace",
          "requested",
          "granted",
          "expires",
          "number",
          "epoch",
          "from",
          "to",
          "bytesIn",
          "bytesOut",
          "busy",
          "energy",
          "leases",
          "common",
          "calls",
          "timedCalls",
          "timedNanos",
          "awaySince",
          "awayUntil",
          "place",
          "free",
          "reported",
          "devices",
          "idleSuspend",
          "idleRevoke",
          "memoryUsed",
          "utilization",
          "temperature",
          "power",
          "leasesBusy",
          "budget",
          "created",
          "used",
          "balance",
          "leasedMemory",
          "leasesMemory");

  private static final List<String> TEXTS =
      List.of(
          "id",
          "state",
          "tenant",
          "consumer",
          "reason",
          "model",
          "wanted",
          "profile",
          "arch",
          "backend",
          "token",
          "uuids",
          "nodes",
          "uuid",
          "failed",
          "cordoned",
          "host",
          "client",
          "lease",
          "node",
          "endpoints",
          "joined",
          "gpu",
          "user",
          "fqan",
          "site",
          "name",
          "role",
          "note",
          "cdi",
          "pci",
          "iommuGroup",
          "neighbours");

  @TempDir private Path folder;

  /** The text that a command printed, to either. */
  private record Printed(int status, String output, String errors) {}

  private static Form row(String number, String text) {
    Form row = new Form();
    NUMBERS.forEach(name -> row.with(name, number));
    TEXTS.forEach(name -> row.with(name, text));
    return row.with("mode", "remote").with("state", "granted").with("last", "true");
  }

  /** The rows of each backend. */
  static Stream<List<String>> answers() {
    return Stream.of(
        List.of(),
        List.of(""),
        List.of("&&&", "%"),
        List.of("a=%zz"),
        List.of(new Form().with("mode", "none").toString()),
        List.of(row("1", "a\033]0;b\007\u009b2Jc\nd\r").toString()),
        List.of(row("9223372036854775807", "x").toString()),
        List.of(row("-9223372036854775808", "x").toString()),
        List.of(row("x", "x").toString()));
  }

  private Printed run(LyingBackend backend, String command) {
    StringWriter output = new StringWriter();
    StringWriter errors = new StringWriter();
    CommandLine all =
        Outboard.commandLine().setOut(new PrintWriter(output)).setErr(new PrintWriter(errors));
    String[] words = (command + " --on " + backend.uri()).split(" ", -1);
    int status = Outboard.execute(all, words);
    return new Printed(status, output.toString(), errors.toString());
  }

  @ParameterizedTest
  @MethodSource("answers")
  void noAnswerSteersATerminalOrLeavesATrace(List<String> rows) throws Exception {
    try (LyingBackend backend = new LyingBackend(folder.resolve("socket"), rows)) {
      for (String command : COMMANDS) {
        Printed printed = run(backend, command);
        String all = printed.output() + printed.errors();
        assertTrue(all.chars().noneMatch(LyingBackendTest::steers), () -> command + printed);
        assertFalse(all.contains("\tat "), () -> command + printed);
        assertTrue(printed.status() == 0 || printed.status() == 1, () -> command + printed);
      }
    }
  }

  private static boolean steers(int c) {
    return c != '\n' && Character.isISOControl(c);
  }

  /** As people do with what 'lease' prints. */
  @Test
  void theShellRunsNothingOfABackends() throws Exception {
    Path made = folder.resolve("made");
    String hostile = "';touch$IFS" + made + ";'$(touch " + made + ")`touch " + made + "`";
    for (String mode : List.of("remote", "device")) {
      Form row =
          row("1", hostile)
              .with("backend", "unix:/" + hostile)
              .with("mode", mode)
              .with("uuids", hostile.replace(" ", "\t"));
      Path socket = folder.resolve(mode);
      try (LyingBackend backend = new LyingBackend(socket, List.of(row.toString()))) {
        Printed printed = run(backend, "lease --mode " + mode);
        assertEquals(0, printed.status(), printed::toString);
        ProcessBuilder shell = new ProcessBuilder("sh", "-c", "eval \"$LINES_OF\"");
        shell.environment().putAll(Map.of("LINES_OF", printed.output()));
        int unused = shell.start().waitFor();
      }
      assertFalse(Files.exists(made), mode);
    }
  }
}
