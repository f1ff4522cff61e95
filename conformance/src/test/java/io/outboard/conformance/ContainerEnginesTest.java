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

  private static final String SCRIPT = Home.PATH.resolve("conformance/engine/private").toString();

  @TempDir private static Path home;
  private static Path image;
  private static Path engines;
  private static Launcher outboard;
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
    assumeTrue(Program.isHere("dockerd") || Program.isHere("podman"), "no engine is installed");
    engines = home.resolve("engines");
    done(SCRIPT, "start", engines.toString());
  }

  @AfterAll
  static void end() throws IOException, InterruptedException {
    if (engines != null) {
      done(SCRIPT, "stop", engines.toString());
    }
  }

  private static void done(String... command) throws IOException, InterruptedException {
    Program.Ended ended = Program.run(List.of(command), Map.of());
    assertEquals(0, ended.status(), ended::toString);
  }

  @Test
  void docker() throws Exception {
    assumeTrue(Program.isHere("dockerd"), "dockerd is not installed");
    containersHaveLeases("docker");
    containersGoOnWhileTheirDaemonIsAway();
  }

  /** Docker's {@code --live-restore}: a daemon is killed, and the next one takes them over. */
  private void containersGoOnWhileTheirDaemonIsAway() throws Exception {
    String wait = "/bin/sh -c 'read never'";
    typed("outboard docker run --network=none --name=one -di bare " + wait);
    done("sh", "-c", "kill -KILL $(cat %s/docker.pid)".formatted(engines));
    done(SCRIPT, "start", engines.toString());
    String again = "docker exec one /opt/outboard/bin/outboard-run /work/vectorAdd";
    assertTrue(typed(again).contains("PASSED"));
    assertEquals(1, leases.alive().size());
    typed("docker rm --force one");
    Patience.until("it is given back", () -> leases.alive().isEmpty());
  }

  @Test
  void podman() throws Exception {
    assumeTrue(Program.isHere("podman"), "podman is not installed");
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
    Program.Ended failed = shell(run + "--rm bare /bin/sh -c 'exit 7'");
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
        shell("outboard %s run --network=none --rm musl %s".formatted(engine, MuslRoot.PROGRAM));
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

  private static Program.Ended shell(String line) throws IOException, InterruptedException {
    return outboard.shell(". '%s/variables'; %s".formatted(engines, line));
  }

  private static String typed(String line) throws IOException, InterruptedException {
    Program.Ended ended = shell(line);
    assertEquals(0, ended.status(), ended::toString);
    return ended.output();
  }
}
