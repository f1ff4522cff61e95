// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.outboard.patience.Patience;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A Debian machine whose first process is systemd: a container of {@code systemd-nspawn}, made of
 * Debian's packages by {@code mmdebstrap}, with a network of its own that leads nowhere.
 */
final class Machine {
  private static final String SUITE = "bookworm";
  private static final String PACKAGES = "systemd,systemd-sysv,dbus,procps,libssl3,netbase";
  private static final Path FOLDER = Home.PATH.resolve("conformance/target/machine");
  private static final Path IMAGE = FOLDER.resolve("debian");
  private static final Duration MAKING = Duration.ofMinutes(10);

  private final Path changes = FOLDER.resolve("changes");
  private final Path root = FOLDER.resolve("root");
  private final Path console = FOLDER.resolve("console");
  private Process container;
  private long leader;

  /** Makes one, on top of an image that all share; it is not booted yet. One at a time. */
  Machine() throws IOException, InterruptedException {
    makeImage();
    remove();
    for (String folder : List.of("changes/upper", "changes/work", "root")) {
      Files.createDirectories(FOLDER.resolve(folder));
    }
    String layers =
        "lowerdir=%s,upperdir=%s/upper,workdir=%s/work".formatted(IMAGE, changes, changes);
    must("mount", "-t", "overlay", "-o", layers, "outboard-machine", root.toString());
    Files.writeString(root.resolve("etc/hosts"), "127.0.0.1 localhost\n");
  }

  /** Removes what is left of one, also of one whose test was killed. */
  final void remove() throws IOException, InterruptedException {
    Program.run(List.of("umount", root.toString()), Map.of());
    must("rm", "-rf", "--one-file-system", changes.toString(), root.toString());
  }

  /** Skips the test where no such machine can be made. */
  static void assumePossible() throws IOException, InterruptedException {
    assumeTrue(
        ProcessHandle.current().info().user().orElse("").equals("root"),
        "containers with systemd want root");
    for (String tool : List.of("mmdebstrap", "systemd-nspawn", "nsenter")) {
      Program.Ended found = Program.run(List.of("sh", "-c", "command -v " + tool), Map.of());
      assumeTrue(found.status() == 0, tool + " is missing (package " + packageOf(tool) + ")");
    }
  }

  private static String packageOf(String tool) {
    return switch (tool) {
      case "systemd-nspawn" -> "systemd-container";
      case "nsenter" -> "util-linux";
      default -> tool;
    };
  }

  /** Once: it takes a minute, and a mirror of Debian's. */
  private static void makeImage() throws IOException, InterruptedException {
    if (Files.exists(IMAGE)) {
      return;
    }
    Path part = FOLDER.resolve("part");
    must("rm", "-rf", "--one-file-system", part.toString());
    Files.createDirectories(part);
    Program.Ended made =
        Program.run(
            List.of(
                "mmdebstrap", "--variant=minbase", "--include=" + PACKAGES, SUITE, part.toString()),
            Map.of(),
            MAKING);
    assumeTrue(made.status() == 0, made::errors);
    Files.move(part, IMAGE);
  }

  /** A file of the machine's, seen from here. */
  Path file(String path) {
    return root.resolve(path.substring(1));
  }

  /** Copies a file into the machine's {@code /opt}. */
  void bring(Path file) throws IOException {
    Files.copy(
        file,
        file("/opt").resolve(file.getFileName()),
        StandardCopyOption.COPY_ATTRIBUTES,
        StandardCopyOption.REPLACE_EXISTING);
  }

  /** Boots it; returns when its services have been started. */
  void boot() throws Exception {
    container =
        new ProcessBuilder(
                "systemd-nspawn",
                "--quiet",
                "--register=no",
                "--keep-unit",
                "--boot",
                "--directory=" + root,
                "--machine=outboard-" + ProcessHandle.current().pid(),
                "--private-network",
                "--capability=CAP_IPC_LOCK",
                "--console=passive")
            .redirectInput(new File("/dev/null"))
            .redirectOutput(console.toFile())
            .redirectErrorStream(true)
            .start();
    Patience.until(this::console, this::isUp);
  }

  /** Where nothing has been booted yet it is the host that does not let it. */
  private boolean isUp() throws IOException, InterruptedException {
    assumeTrue(container.isAlive(), this::console);
    Optional<ProcessHandle> first = container.children().filter(Machine::isSystemd).findFirst();
    leader = first.map(ProcessHandle::pid).orElse(0L);
    return leader != 0 && run("systemctl is-system-running --wait").status() == 0;
  }

  private static boolean isSystemd(ProcessHandle process) {
    return process.info().command().orElse("").endsWith("/systemd");
  }

  private String console() {
    try {
      return Files.readString(console);
    } catch (IOException e) {
      return e.toString();
    }
  }

  /** Runs a line of the shell, as root. */
  Program.Ended run(String line) throws IOException, InterruptedException {
    return Program.run(command("sh", "-c", line), Map.of());
  }

  /** The same as another user. */
  Program.Ended runAs(String user, String line) throws IOException, InterruptedException {
    return Program.run(
        command(
            "setpriv",
            "--reuid=" + user,
            "--regid=" + user,
            "--init-groups",
            "env",
            "HOME=/home/" + user,
            "sh",
            "-c",
            line),
        Map.of());
  }

  /** Runs a line that has to succeed, and returns its output without white space around it. */
  String must(String line) throws IOException, InterruptedException {
    return must(command("sh", "-c", line).toArray(String[]::new));
  }

  private static String must(String... command) throws IOException, InterruptedException {
    Program.Ended ended = Program.run(List.of(command), Map.of());
    assertEquals(0, ended.status(), () -> String.join(" ", command) + ": " + ended);
    return ended.output().strip();
  }

  /** Starts a line whose streams are pipes. */
  Process start(String line) throws IOException {
    return new ProcessBuilder(command("sh", "-c", line)).redirectErrorStream(true).start();
  }

  private List<String> command(String... command) {
    List<String> inside =
        new ArrayList<>(
            List.of(
                "nsenter",
                "--target=" + leader,
                "--all",
                "env",
                "-i",
                "PATH=/usr/sbin:/usr/bin:/sbin:/bin",
                "LANG=C.UTF-8",
                "HOME=/root",
                "DEBIAN_FRONTEND=noninteractive"));
    Stream.of(command).forEach(inside::add);
    return inside;
  }

  /** Ends it in order, as its power button does. */
  void shutDown() throws InterruptedException {
    if (container != null) {
      container.destroy();
      if (!container.waitFor(Patience.LIMIT)) {
        container.destroyForcibly().waitFor();
      }
    }
  }
}
