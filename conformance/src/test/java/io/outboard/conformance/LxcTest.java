// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.outboard.lease.Form;
import io.outboard.patience.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** GPUs for containers of this machine's LXC: remote ones by a socket, and the machine's own. */
final class LxcTest {
  /** A number that no GPU of this machine has. */
  private static final int MINOR = 177;

  private static final Path NODE = Path.of("/dev/nvidia" + MINOR);

  private static Path home;
  private static Path driver;
  private static Launcher outboard;

  @RegisterExtension static final Backend BACKEND = new Backend(LxcTest::withDriver, "software:2");

  private final Leases leases = new Leases(BACKEND);

  /** A daemon that sees files of NVIDIA's driver which the tests write. */
  private static List<String> withDriver(Path temporary) throws IOException {
    driver = Files.createDirectories(temporary.resolve("driver"));
    if (!isPossible()) {
      return Backend.fromSources(temporary);
    }
    List<String> words =
        new ArrayList<>(
            List.of(
                "unshare",
                "--mount",
                "sh",
                "-ec",
                "mount --bind \"$0\" /proc/driver; exec \"$@\"",
                driver.toString()));
    words.addAll(Backend.fromSources(temporary));
    return words;
  }

  private static boolean isPossible() {
    try {
      return Program.run(List.of("id", "-u"), Map.of()).output().equals("0\n")
          && Program.isHere("lxc-execute");
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @BeforeAll
  static void make() throws Exception {
    assumeTrue(isPossible(), "LXC is not installed (package lxc), or this is not root");
    home = Folders.make("outboard-lxc");
    Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxr-xr-x"));
    outboard = new Launcher(Files.createDirectory(home.resolve("user")));
    outboard.set("OUTBOARD", "unix:" + BACKEND.socket());
    Path root = Files.createDirectory(home.resolve("root"));
    BareRoot bare = new BareRoot(root, Home.VECTOR_ADD);
    bare.addPlaces("dev", "proc", "sys", "opt/outboard/lib", "opt/outboard/bin");
    Files.createFile(root.resolve("run/outboard/outboard.sock"));
    configure("one", "");
  }

  private static void configure(String name, String more) throws IOException {
    Files.writeString(
        home.resolve(name + ".conf"),
        """
        lxc.rootfs.path = dir:%s
        lxc.uts.name = %s
        lxc.net.0.type = empty
        %s"""
            .formatted(home.resolve("root"), name, more));
  }

  @AfterAll
  static void remove() throws IOException {
    if (home != null) {
      Folders.remove(home);
    }
  }

  @AfterEach
  void nothingIsLeft() throws Exception {
    Patience.until("leases are left", () -> leases.alive().isEmpty());
  }

  private static String container(String name) {
    return "-n %1$s -P '%2$s' -f '%2$s/%1$s.conf' ".formatted(name, home);
  }

  private static Program.Ended typed(int status, String line)
      throws IOException, InterruptedException {
    Program.Ended ended = outboard.shell(line);
    assertEquals(status, ended.status(), ended::toString);
    return ended;
  }

  @Test
  void aProgramInAContainerUsesTheLeasedGpus() throws Exception {
    String execute = "outboard lxc-execute --share=50% " + container("one");
    assertEquals(Home.VECTOR_ADD_PASSED, typed(0, execute + "-- /work/vectorAdd").output());
    typed(7, execute + "-- /bin/sh -c 'exit 7'");
  }

  /** Its root is nobody on this machine, and the token says whose lease it has. */
  @Test
  void soDoesAnUnprivilegedOne() throws Exception {
    String first = firstSubordinate();
    configure(
        "unprivileged",
        """
        lxc.idmap = u 0 %1$s 65536
        lxc.idmap = g 0 %1$s 65536
        lxc.mount.auto = proc:mixed
        """
            .formatted(first));
    for (Path folder = BACKEND.socket().getParent();
        !folder.equals(BACKEND.folder().getParent());
        folder = folder.getParent()) {
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
    }
    Files.setPosixFilePermissions(BACKEND.socket(), PosixFilePermissions.fromString("rw-rw-rw-"));
    String program = "/bin/sh -c 'read a b c </proc/self/uid_map; echo $b; /work/vectorAdd'";
    Program.Ended ended =
        typed(0, "outboard lxc-execute " + container("unprivileged") + "-- " + program);
    assertEquals(first + "\n" + Home.VECTOR_ADD_PASSED, ended.output());
  }

  /** Of the users that root may give to others, the first; groups have the same numbers. */
  private static String firstSubordinate() throws IOException {
    for (String line : Files.readAllLines(Path.of("/etc/subuid"))) {
      String[] parts = line.split(":", -1);
      if (parts[0].equals("root") && Integer.parseInt(parts[2]) >= 65536) {
        return parts[1];
      }
    }
    return abort("root has no 65536 users to give (usermod --add-subuids, --add-subgids)");
  }

  @Test
  void aProgramInARunningContainerHasALeaseOfItsOwn() throws Exception {
    String attach = "-n running -P '%s' -- /work/vectorAdd".formatted(home);
    String printed = typed(0, "outboard lxc-attach --print " + attach).output();
    String mounts =
        printed
            .lines()
            .filter(line -> line.contains("mount"))
            .map(line -> line.substring(1) + "\n")
            .collect(Collectors.joining());
    try (Running container = new Running("running", mounts)) {
      Program.Ended ended = typed(0, "outboard lxc-attach --gpus=2 " + attach);
      assertEquals(Home.VECTOR_ADD_PASSED, ended.output(), ended::toString);
      assertTrue(container.isRunning());
    }
  }

  /** The container's device is one that exists everywhere: what it is does not matter. */
  @Test
  void aGpuOfThisMachineIsTheContainersUntilTheEnd() throws Exception {
    describeDriver();
    typed(0, "mknod %s c 1 3".formatted(NODE));
    try (Running container = new Running("device", "")) {
      Process holder = outboard.start("lxc-device", "-n", "device", "-P", home.toString());
      Patience.until(() -> "the container has it: " + said(), container::hasNode);
      assertEquals("granted", leases.alive().getFirst().get("state"));
      holder.destroy();
      Patience.until("the lease has ended", () -> leases.alive().isEmpty());
      assertFalse(container.hasNode());
      Process next = outboard.start("lxc-device", "-n", "device", "-P", home.toString());
      Patience.until(() -> "the container has it: " + said(), container::hasNode);
      leases.change("revoke", leases.alive().getFirst());
      Patience.exit(next);
      assertFalse(container.hasNode());
    } finally {
      Files.delete(NODE);
    }
    Program.Ended ended = typed(1, "outboard lxc-device -n device -P '%s'".formatted(home));
    assertTrue(ended.errors().contains("does not run"), ended::toString);
  }

  private static String said() {
    try {
      return outboard.errors();
    } catch (IOException e) {
      return e.toString();
    }
  }

  private void describeDriver() throws IOException {
    for (Form gpu : leases.ask("devices", new Form())) {
      Path folder = driver.resolve("nvidia/gpus/" + gpu.get("uuid"));
      Files.createDirectories(folder);
      Files.writeString(
          folder.resolve("information"),
          "GPU UUID: %s\nDevice Minor: %d\n".formatted(gpu.get("uuid"), MINOR));
    }
  }

  /** A container that runs until this is closed. */
  private static final class Running implements AutoCloseable {
    private final String name;

    Running(String name, String more) throws Exception {
      this.name = name;
      Path end = home.resolve("root/tmp/end-" + name);
      typed(0, "mkfifo '%s'".formatted(end));
      Script.write(
          home.resolve("root/work/" + name), "#!/bin/sh\nread end </tmp/end-%s\n".formatted(name));
      configure(name, "lxc.init.cmd = /work/%s\n".formatted(name) + more);
      typed(0, "lxc-start " + container(name));
    }

    boolean isRunning() throws Exception {
      return attached("true").status() == 0;
    }

    boolean hasNode() throws Exception {
      return attached("[ -c %s ]".formatted(NODE)).status() == 0;
    }

    private Program.Ended attached(String line) throws Exception {
      return outboard.shell(
          "lxc-attach -n %s -P '%s' -- /bin/sh -c '%s'".formatted(name, home, line));
    }

    @Override
    public void close() throws IOException {
      try {
        typed(0, "lxc-stop -k -n %s -P '%s'".formatted(name, home));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
