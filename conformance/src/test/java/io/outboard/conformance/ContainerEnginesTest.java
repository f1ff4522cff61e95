// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.outboard.lease.Form;
import io.outboard.patience.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** {@link ContainersTest} with a real dockerd, and a real Podman, as root and without a network. */
@Lengthy
final class ContainerEnginesTest {
  @RegisterExtension static final Backend BACKEND = new Backend("software:2");

  private static final String DAEMON =
      """
      exec dockerd --iptables=false --ip6tables=false --bridge=none --storage-driver=vfs \
        -H "unix://$0/docker.sock" --data-root "$0/data" --exec-root "$0/exec" \
        -p "$0/docker.pid" >"$0/docker.log" 2>&1
      """;

  /** For a machine within a machine: no limits are raised, no service manager is asked. */
  private static final String PODMAN =
      """
      [containers]
      default_ulimits = ["nofile=1000:1000", "nproc=1000:1000"]
      [engine]
      runtime = "runc"
      cgroup_manager = "cgroupfs"
      events_logger = "file"
      """;

  @TempDir private static Path home;
  private static Path image;
  private static Launcher outboard;
  private static Process daemon;
  private final Leases leases = new Leases(BACKEND);

  @BeforeAll
  static void make() throws Exception {
    assumeTrue(Program.run(List.of("id", "-u"), Map.of()).output().equals("0\n"), "not root");
    MuslRoot.assumePossible();
    outboard = new Launcher(Files.createDirectory(home.resolve("user")));
    outboard.set("OUTBOARD", "unix:" + BACKEND.socket());
    Path root = Files.createDirectory(home.resolve("root"));
    BareRoot unused = new BareRoot(root, Home.VECTOR_ADD);
    image = home.resolve("image.tar");
    done("tar", "-C", root.toString(), "-cf", image.toString(), ".");
  }

  @AfterAll
  static void end() throws InterruptedException {
    if (daemon != null) {
      daemon.destroy();
      Patience.exit(daemon);
    }
  }

  private static void done(String... command) throws IOException, InterruptedException {
    Program.Ended ended = Program.run(List.of(command), Map.of());
    assertEquals(0, ended.status(), ended::toString);
  }

  @Test
  void docker() throws Exception {
    assumeTrue(Program.isHere("dockerd"), "dockerd is not installed");
    Path folder = Files.createDirectory(home.resolve("docker"));
    daemon = new ProcessBuilder("sh", "-c", DAEMON, folder.toString()).start();
    outboard.set("DOCKER_HOST", "unix://" + folder.resolve("docker.sock"));
    Patience.until(
        "it serves", () -> outboard.shell("docker version >/dev/null 2>&1").status() == 0);
    containersHaveLeases("docker");
  }

  @Test
  void podman() throws Exception {
    assumeTrue(Program.isHere("podman"), "podman is not installed");
    Path folder = Files.createDirectory(home.resolve("podman"));
    Path containers = Files.writeString(folder.resolve("containers.conf"), PODMAN);
    Path storage =
        Files.writeString(
            folder.resolve("storage.conf"),
            """
                [storage]
                driver = "vfs"
                graphroot = "%1$s/graph"
                runroot = "%1$s/run"
                """
                .formatted(folder));
    outboard.set("CONTAINERS_CONF", containers.toString());
    outboard.set("CONTAINERS_STORAGE_CONF", storage.toString());
    containersHaveLeases("podman");
    aLeaseIsADevice();
  }

  /** An engine that knows CDI takes a lease by name; engines look in one folder of the machine. */
  private void aLeaseIsADevice() throws Exception {
    Form lease = leases.request(new Form().with("gpus", 1));
    String name = lease.get("id");
    Path file = Path.of("/etc/cdi/outboard-" + name + ".json");
    typed("mkdir -p /etc/cdi; umask 077; outboard cdi %s >%s".formatted(name, file));
    try {
      String run = "podman run --network=none --rm --device outboard.io/gpu=lease:" + name;
      assertTrue(typed(run + " bare /work/vectorAdd").contains("PASSED"));
    } finally {
      Files.delete(file);
      leases.change("release", lease);
    }
  }

  private void containersHaveLeases(String engine) throws Exception {
    String run = "outboard " + engine + " run --network=none --name=one ";
    typed("%s import '%s' bare".formatted(engine, image));
    assertTrue(typed(run + "--rm --gpus=1 bare /work/vectorAdd").contains("PASSED"));
    Program.Ended failed = outboard.shell(run + "--rm bare /bin/sh -c 'exit 7'");
    assertEquals(7, failed.status(), failed::toString);
    Patience.until("it is given back", () -> leases.alive().isEmpty());
    typed(run + "--detach bare /bin/sh -c 'while :; do :; done'");
    assertEquals(1, leases.alive().size());
    typed(engine + " rm --force one");
    Patience.until("it is given back", () -> leases.alive().isEmpty());
    imagesAreLoaded(engine);
    imagesOfMuslAreRefused(engine);
  }

  private void imagesOfMuslAreRefused(String engine) throws Exception {
    Path root = Files.createDirectory(home.resolve("musl-" + engine));
    MuslRoot.make(root);
    typed("tar -C '%s' -c . | %s import - musl".formatted(root, engine));
    Program.Ended ended =
        outboard.shell(
            "outboard %s run --network=none --rm musl %s".formatted(engine, MuslRoot.PROGRAM));
    assertEquals(126, ended.status(), ended::toString);
    assertTrue(ended.errors().contains(MuslRoot.REFUSAL), ended::toString);
    Patience.until("it is given back", () -> leases.alive().isEmpty());
  }

  /** Of a base and the client's tarball, without an engine: the engine loads and runs it. */
  private void imagesAreLoaded(String engine) throws Exception {
    Path file = home.resolve("made.tar.gz");
    done(
        "sh",
        Home.PATH.resolve("cli/sh/image.sh").toString(),
        image.toString(),
        Tarballs.client().toString(),
        "outboard-client:1.0",
        file.toString(),
        "/opt/outboard/bin/outboard-run",
        "/work/vectorAdd");
    typed("%s load --input '%s'".formatted(engine, file));
    Form lease = leases.request(new Form().with("gpus", 1));
    String run =
        "OUTBOARD_TOKEN=%s %s run --network=none --rm --env OUTBOARD_TOKEN --volume '%s:/s.sock' "
            .formatted(lease.get("token"), engine, BACKEND.socket());
    String variable = "--env OUTBOARD=unix:/s.sock ";
    assertTrue(typed(run + variable + "outboard-client:1.0").contains("PASSED"));
    assertTrue(
        typed(run + "outboard-client:1.0 --on unix:/s.sock -- /work/vectorAdd").contains("PASSED"));
    leases.change("release", lease);
  }

  private static String typed(String line) throws IOException, InterruptedException {
    Program.Ended ended = outboard.shell(line);
    assertEquals(0, ended.status(), ended::toString);
    return ended.output();
  }
}
