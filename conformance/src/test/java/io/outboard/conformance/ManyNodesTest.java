// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.lease.testkit.PostgresServer;
import io.outboard.patience.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two brokers and two nodes as their operators have them, all on this machine. */
final class ManyNodesTest {
  private static final String PROGRAM = Home.PROGRAMS.resolve("steady").toString();

  private final List<Backend> nodes = new ArrayList<>();
  @TempDir private Path home;
  private Certificates certificates;
  private PostgresServer postgres;
  private Launcher outboard;
  private final List<PoolBroker> brokers = new ArrayList<>();
  private PoolBroker one;
  private PoolBroker other;

  @BeforeEach
  void startPool() throws Exception {
    certificates = new Certificates(home);
    certificates.write("broker", certificates.server("127.0.0.1"));
    postgres = PostgresServer.start();
    outboard = new Launcher(Files.createDirectory(home.resolve("user")));
    one = broker("one");
    other = broker("other");
    // Each learns its port while it leads; both keep theirs.
    one.start();
    one.kill();
    other.start();
    other.kill();
    one.start();
    lead(one);
    other.startBehind();
    for (String name : List.of("n1", "n2")) {
      nodes.add(join(name));
    }
  }

  private PoolBroker broker(String name) throws IOException {
    PoolBroker broker =
        new PoolBroker(home.resolve(name), postgres.uri(""), home.resolve("broker.pem"));
    brokers.add(broker);
    return broker;
  }

  /** Commands ask this one from now on. */
  private void lead(PoolBroker broker) {
    outboard.set("OUTBOARD", "unix:" + broker.socket());
  }

  @AfterEach
  void endPool() throws Exception {
    for (Backend node : nodes) {
      node.afterAll(null);
    }
    for (PoolBroker broker : brokers) {
      broker.kill();
    }
    if (postgres != null) {
      postgres.close();
    }
  }

  private Backend join(String name) throws Exception {
    Path token = home.resolve(name + ".token");
    Files.writeString(token, typed("node", "invite", name));
    Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
    Backend node =
        new Backend(
            "software",
            "--grace=0",
            "--pool=" + one.api(),
            "--pool=" + other.api(),
            "--pool-ca=" + certificates.ca(),
            "--pool-name=" + name,
            "--pool-token-file=" + token);
    node.beforeAll(null);
    return node;
  }

  /** The output of a command, which succeeds. */
  private String typed(String... arguments) throws Exception {
    Program.Ended ended = outboard.run(arguments);
    assertEquals(0, ended.status(), ended::toString);
    return ended.output();
  }

  /** Asks for a lease, and does not wait; its id. */
  private String lease() throws Exception {
    return typed("lease", "--for=10m", "--detach").strip();
  }

  private boolean isIn(String state, String lease) throws Exception {
    return typed("leases", lease).lines().anyMatch(line -> line.contains(" " + state + " "));
  }

  private Steady start(String lease) throws IOException {
    Map<String, String> variables =
        Map.of(
            "HOME",
            home.toString(),
            "XDG_RUNTIME_DIR",
            home.toString(),
            "XDG_CONFIG_HOME",
            "",
            "OUTBOARD",
            "unix:" + one.socket());
    return Steady.start(
        List.of(home.resolve("user/outboard").toString(), "run", "--lease", lease, PROGRAM),
        variables);
  }

  /** The node whose log names the program. */
  private Optional<Backend> serving() throws IOException {
    for (Backend node : nodes) {
      if (node.log().contains(PROGRAM)) {
        return Optional.of(node);
      }
    }
    return Optional.empty();
  }

  /** All in one pool, as each costs the start of four processes. */
  @Test
  void aProgramNeverNoticesThatItsBrokersAreKilled() throws Exception {
    String first = lease();
    String second = lease();
    String third = lease();
    Patience.until("both nodes report", () -> isIn("granted", first) && isIn("granted", second));
    assertNotEquals(place(first), place(second));
    assertTrue(isIn("requested", third), "two nodes have two GPUs");
    String why = typed("leases", third, "--explain");
    assertTrue(why.contains("others have the GPUs") && why.contains("at the latest"), why);
    assertTrue(typed("lease", "--explain").contains("others come first"));
    try (Steady program = start(first)) {
      program.awaitProgress();
      Patience.until("the broker hears of the program", () -> isIn("active", first));
      one.kill();
      program.awaitProgress();
      other.awaitLead();
      lead(other);
      Patience.until("the other broker hears of the program", () -> isIn("active", first));
      other.kill();
      program.awaitProgress();
      one.start();
      lead(one);
      Patience.until("the broker hears of the program again", () -> isIn("active", first));
      assertTrue(isIn("granted", second));
      program.awaitProgress();
      program.finish();
    }
    assertEquals(serving().orElseThrow().tcp(), place(first).replaceFirst(".* ", "").strip());
    typed("release", first);
    Patience.until("who waits has what was released", () -> isIn("granted", third));
    assertEquals(1, rows(first));
    removeNode(third);
  }

  /** How many rows of the ledger a lease has. */
  private long rows(String lease) throws Exception {
    return typed("usage", "--format=csv").lines().filter(row -> row.contains(lease)).count();
  }

  /** The token of a lease, and where its programs connect to. */
  private String place(String lease) throws Exception {
    return typed("leases", "--place", lease);
  }

  private void removeNode(String lease) throws Exception {
    Backend node = serving().orElseThrow();
    String name = "n" + (1 + nodes.indexOf(node));
    Program.Ended again = outboard.run("node", "invite", name);
    assertEquals(1, again.status(), again::toString);
    assertTrue(again.errors().contains("has joined already"), again::toString);
    assertTrue(typed("node", "remove", name).lines().noneMatch(line -> line.startsWith(name)));
    assertTrue(isIn("revoked", lease));
    Patience.until("the node is told", () -> node.log().contains("refuses this node"));
  }
}
