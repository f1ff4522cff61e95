// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The Debian packages, with Debian's own tools where they are here. */
final class PackageTest {
  @TempDir private Path folder;

  private static String run(Map<String, String> variables, String... command) throws Exception {
    Program.Ended ended = Program.run(List.of(command), variables);
    assertEquals(0, ended.status(), ended::toString);
    return ended.output();
  }

  @Test
  void packagesInstallAndWork() throws Exception {
    assumeTrue(Tarballs.canMakeServer(), "no jar of the command: run the build's package phase");
    assumeTrue(Program.isHere("dpkg"), "no dpkg here");
    assumeTrue(run(Map.of(), "id", "-u").strip().equals("0"), "dpkg wants root");
    String version = "1.2-SNAPSHOT";
    Tarballs.packages(version, Tarballs.server(), Tarballs.client(), folder);
    Path root = folder.resolve("root");
    for (String part : List.of("info", "updates", "triggers")) {
      Files.createDirectories(root.resolve("var/lib/dpkg").resolve(part));
    }
    Files.createFile(root.resolve("var/lib/dpkg/status"));
    run(
        Map.of(),
        "dpkg",
        "--root=" + root,
        "--force-depends",
        "--force-script-chrootless",
        "--log=/dev/null",
        "--install",
        folder.resolve("outboard_1.2~SNAPSHOT_amd64.deb").toString(),
        folder.resolve("outboard-client_1.2~SNAPSHOT_amd64.deb").toString(),
        folder.resolve("outboard-slurm_1.2~SNAPSHOT_all.deb").toString());
    assertEquals("", run(Map.of(), "dpkg", "--root=" + root, "--verify"));
    assertTrue(
        !Program.isHere("systemd-sysusers")
            || Files.readString(root.resolve("etc/group")).contains("outboard:"),
        "the socket's group");
    theGroupOpensDevices(root);
    xenGrantsPagesEnough(root);
    installedCommandsWork(root);
    Documents.check(root.resolve("usr/share/doc/outboard"), 7);
    Documents.check(root.resolve("usr/share/doc/outboard-client"), 2);
    Documents.check(root.resolve("usr/share/doc/outboard-slurm"), 1);
    hooksOfSlurmFindTheirParts(root);
    manualAndCompletionAreFound(root.resolve("usr/share"));
    removingKeepsWhatIsTheOperators(root);
  }

  /** {@code VirtioGuestTest} has a guest's udev follow the rules. */
  private static void theGroupOpensDevices(Path root) throws IOException {
    Path rules = Path.of("usr/lib/udev/rules.d/60-outboard.rules");
    String installed = Files.readString(root.resolve(rules));
    assertEquals(Files.readString(Home.PATH.resolve("cli/debian/60-outboard.rules")), installed);
    for (String device : List.of("ATTR{name}==\"outboard.*\"", "ATTR{device}==\"0x1110\"")) {
      assertTrue(installed.contains(device), installed);
    }
  }

  /** {@code XenGuestTest} has a domain's kernel heed the limit. */
  private static void xenGrantsPagesEnough(Path root) throws IOException {
    String installed = Files.readString(root.resolve("usr/lib/modprobe.d/outboard-client.conf"));
    assertTrue(installed.endsWith("options xen_gntalloc limit=8256\n"), installed);
  }

  private void installedCommandsWork(Path root) throws Exception {
    Map<String, String> bare = Map.of("JAVA_HOME", "", "HOME", folder.toString());
    String outboard = root.resolve("usr/bin/outboard").toString();
    assertTrue(run(bare, outboard, "version").startsWith("outboard "));
    assertTrue(run(bare, outboard, "doctor", "--host").contains("Linux"));
    String ran = run(bare, outboard, "run", "--device=software", Home.VECTOR_ADD.toString());
    assertEquals(Home.VECTOR_ADD_PASSED, ran);
    theHelpOffersWhatCanBeDone(run(bare, outboard, "help"), bare, outboard);
    assertTrue(run(bare, root.resolve("usr/bin/outboard-run").toString(), "--help").length() > 0);
  }

  /** A program to try, and nothing that wants the sources. */
  private static void theHelpOffersWhatCanBeDone(
      String help, Map<String, String> bare, String outboard) throws Exception {
    for (String command : List.of("demo", "test", "dist")) {
      assertTrue(!help.contains("\n  " + command + " "), help);
    }
    Matcher example = Pattern.compile("To try it: outboard run -- (\\S+)\n").matcher(help);
    assertTrue(example.find(), help);
    String ran = run(bare, outboard, "run", "--device=software", "--", example.group(1));
    assertEquals(Home.VECTOR_ADD_PASSED, ran);
  }

  /** {@code SlurmTest} has Slurm call them. */
  private static void hooksOfSlurmFindTheirParts(Path root) throws Exception {
    assumeTrue(Program.isHere("python3"), "no python3");
    Path hooks = root.resolve("usr/lib/outboard-slurm/slurm");
    Map<String, String> job =
        Map.of(
            "OUTBOARD_SLURM_CONF",
            root.resolve("etc/outboard/slurm.conf").toString(),
            "SLURM_JOB_ID",
            "1",
            "SLURM_JOB_LICENSES",
            "rgpu:1");
    for (String hook : List.of("prolog-slurmctld", "epilog-slurmctld")) {
      Program.Ended ended = Program.run(List.of(hooks.resolve(hook).toString()), job);
      assertTrue(ended.errors().contains("token-file is not set"), ended::toString);
    }
  }

  private static void manualAndCompletionAreFound(Path share) throws Exception {
    for (String name : List.of("outboard", "outboard-run")) {
      String page = share.resolve("man/man1/" + name + ".1.gz").toString();
      assertTrue(run(Map.of(), "zcat", page).startsWith(".TH OUTBOARD"), page);
      if (Program.isHere("man")) {
        Map<String, String> wide = Map.of("MANWIDTH", "100", "LC_ALL", "C.UTF-8");
        Program.Ended shown = Program.run(List.of("man", "--warnings", "-l", page), wide);
        assertEquals("", shown.errors(), page);
        assertTrue(shown.output().contains("--trace"), shown::toString);
      }
    }
    String script = share.resolve("bash-completion/completions/outboard").toString();
    String known = run(Map.of(), "bash", "-ec", ". \"$1\"; complete -p outboard", "bash", script);
    assertTrue(known.contains("-F _complete_outboard"), known);
  }

  private static void removingKeepsWhatIsTheOperators(Path root) throws Exception {
    Files.writeString(root.resolve("etc/outboard/serve.env"), "OPTIONS=mine\n");
    Path state = Files.createDirectories(root.resolve("var/lib/outboard"));
    Path enabled = enable(root);
    dpkg(root, "--remove");
    assertEquals("OPTIONS=mine\n", Files.readString(root.resolve("etc/outboard/serve.env")));
    assertTrue(Files.notExists(root.resolve("usr/lib/outboard/bin/outboard")));
    assertTrue(Files.exists(state));
    assertTrue(!Program.isHere("systemctl") || Files.notExists(enabled, LinkOption.NOFOLLOW_LINKS));
    dpkg(root, "--purge");
    assertTrue(Files.notExists(state));
    assertTrue(Files.notExists(root.resolve("etc/outboard/serve.env")));
  }

  /** As systemctl does. */
  private static Path enable(Path root) throws IOException {
    Path wants = root.resolve("etc/systemd/system/multi-user.target.wants");
    return Files.createSymbolicLink(
        Files.createDirectories(wants).resolve("outboard-serve.service"),
        Path.of("/usr/lib/systemd/system/outboard-serve.service"));
  }

  /** Its scripts do not change the root, and so have to keep to the one that they are told. */
  private static void dpkg(Path root, String action) throws Exception {
    run(
        Map.of(),
        "dpkg",
        "--root=" + root,
        "--force-script-chrootless",
        "--log=/dev/null",
        action,
        "outboard");
  }

  @ParameterizedTest
  @ValueSource(strings = {"outboard-serve.service", "outboard@.service"})
  void theUnitIsOne(String name) throws Exception {
    assumeTrue(Program.isHere("systemd-analyze"), "no systemd here");
    String unit = Files.readString(Home.PATH.resolve("cli/debian").resolve(name));
    Path file = folder.resolve(name.replace("@.", "@web."));
    Files.writeString(file, unit.replace("/usr/bin/outboard", "/bin/true"));
    Program.Ended ended =
        Program.run(List.of("systemd-analyze", "verify", file.toString()), Map.of());
    assertEquals(0, ended.status(), ended::toString);
    assertEquals("", ended.errors(), ended::toString);
  }
}
