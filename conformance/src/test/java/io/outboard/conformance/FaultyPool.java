// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.outboard.lease.Form;
import io.outboard.lease.testkit.PostgresServer;
import io.outboard.patience.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A pool on a network of its own: PostgreSQL on a small disk, two brokers, and two nodes with one
 * GPU each. Machine by machine it can be killed, stopped and cut off.
 */
final class FaultyPool {
  /** The machine of programs. */
  static final String DESK = "desk";

  /** The machine of PostgreSQL. */
  static final String STORE = "db";

  static final List<String> BROKERS = List.of("b1", "b2");
  static final List<String> NODES = List.of("n1", "n2");

  private static final Set<String> HOLDING = Set.of("granted", "active", "idle", "draining");
  private static final int PORT = 14900;
  private static final String API = "https://%s:14902";

  /** The pool itself takes some fifty. */
  private static final String DISK = "size=120m";

  private final Path home;
  private final Path disk;
  private final Certificates certificates;
  private final Map<String, PoolBroker> brokers = new HashMap<>();
  private final Map<String, Backend> nodes = new HashMap<>();
  private final Launcher operator;
  private SmallNetwork network;
  private PostgresServer postgres;
  private String leader = BROKERS.getFirst();

  private FaultyPool(Path home) throws IOException {
    this.home = home;
    this.disk = Folders.make("outboard-store");
    this.certificates = new Certificates(home);
    this.operator = new Launcher(Files.createDirectory(home.resolve("operator")));
  }

  /** Starts one, the first broker of which leads; who cannot skips the test. */
  static FaultyPool start(Path home) throws Exception {
    PostgresServer.assumeInstalled();
    FaultyPool pool = new FaultyPool(home);
    try {
      pool.network = SmallNetwork.open(STORE, "b1", "b2", "n1", "n2", DESK);
      pool.startAll();
      return pool;
    } catch (Exception | AssertionError e) {
      pool.end();
      throw e;
    }
  }

  private void startAll() throws Exception {
    must("mount", "-t", "tmpfs", "-o", DISK, "outboard-store", disk.toString());
    postgres =
        PostgresServer.start(
            new PostgresServer.Place(
                network.at(STORE, List.of()), network.address(STORE), Optional.of(disk)));
    certificates.write("broker", certificates.server(network.address("b1"), network.address("b2")));
    for (String name : BROKERS) {
      Launcher machine =
          new Launcher(Files.createDirectory(home.resolve(name)))
              .at(words -> network.at(name, words));
      brokers.put(
          name,
          new PoolBroker(
              machine,
              postgres.uri(""),
              home.resolve("broker.pem"),
              API.formatted(network.address(name))));
    }
    brokers.get("b1").start();
    lead("b1");
    brokers.get("b2").startBehind();
    for (String name : NODES) {
      nodes.put(name, node(name));
    }
  }

  private Backend node(String name) throws Exception {
    Path token = Files.writeString(home.resolve(name + ".token"), typed("node", "invite", name));
    Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
    Backend node =
        new Backend(
            temporary -> network.at(name, Backend.fromSources(temporary)),
            "software",
            "--insecure-tcp",
            "--listen=tcp://%s:%d".formatted(network.address(name), PORT),
            "--pool=" + API.formatted(network.address("b1")),
            "--pool=" + API.formatted(network.address("b2")),
            "--pool-ca=" + certificates.ca(),
            "--pool-name=" + name,
            "--pool-endpoint=tcp://%s:%d".formatted(network.address(name), PORT),
            "--pool-token-file=" + token);
    node.beforeAll(null);
    return node;
  }

  private static void must(String... command) throws IOException, InterruptedException {
    Program.Ended ended = Program.run(List.of(command), Map.of());
    assertEquals(0, ended.status(), () -> String.join(" ", command) + ": " + ended);
  }

  SmallNetwork network() {
    return network;
  }

  PostgresServer postgres() {
    return postgres;
  }

  /** Where PostgreSQL has its files, on a disk of its own. */
  Path disk() {
    return disk;
  }

  Backend node(int number) {
    return nodes.get(NODES.get(number));
  }

  /** The name of the broker that leads. */
  String leader() {
    return leader;
  }

  /** The name of the one that waits. */
  String other() {
    return BROKERS.get(1 - BROKERS.indexOf(leader));
  }

  PoolBroker broker(String name) {
    return brokers.get(name);
  }

  /** From now on commands ask this broker, which leads. */
  void lead(String name) {
    leader = name;
    operator.set("OUTBOARD", "unix:" + brokers.get(name).socket());
  }

  /** Waits until the broker that waits leads, and starts the one that has led behind it. */
  void awaitOther() throws Exception {
    brokers.get(other()).awaitLead();
    String before = leader;
    lead(other());
    brokers.get(before).kill();
    brokers.get(before).startBehind();
  }

  /** Both brokers begin anew, as their service manager has it; the first one leads. */
  void startBrokersAgain(String... options) throws Exception {
    for (String name : BROKERS) {
      brokers.get(name).kill();
    }
    brokers.get("b1").launch(options);
    brokers.get("b1").awaitLead();
    lead("b1");
    brokers.get("b2").startBehind();
  }

  /** The output of a command that asks the broker that leads, and succeeds. */
  String typed(String... arguments) throws Exception {
    Program.Ended ended = operator.run(arguments);
    assertEquals(0, ended.status(), ended::toString);
    return ended.output();
  }

  /** The same of a command that may fail. */
  Program.Ended tried(String... arguments) throws Exception {
    return operator.run(arguments);
  }

  /** Whether the broker that leads says that a lease is so; asked without the command's start. */
  boolean isIn(String state, String lease) throws Exception {
    boolean is = state(lease).equals(state);
    if (!is) {
      Thread.sleep(NodePool.LOOK_MS);
    }
    return is;
  }

  /** Nothing while the broker does not know, or cannot say. */
  private String state(String lease) {
    try {
      Path socket = brokers.get(leader).socket();
      return Leases.ask(socket, "find", new Form().with("id", lease)).getFirst().get("state");
    } catch (IOException | AssertionError _) {
      return "";
    }
  }

  /** The ids of leases that have the GPU of a node, as the node says. */
  List<String> holders(String node) throws Exception {
    return Leases.ask(nodes.get(node).socket(), "leases", new Form()).stream()
        .filter(lease -> !Leases.isCommon(lease))
        .filter(lease -> HOLDING.contains(lease.get("state")))
        .map(lease -> lease.get("id"))
        .toList();
  }

  /** A program of a lease at the desk, which goes straight to its node. */
  Steady program(String lease) throws Exception {
    String[] place = typed("leases", "--place", lease).strip().split(" ", 2);
    Map<String, String> variables =
        Map.ofEntries(
            Map.entry("HOME", home.toString()),
            Map.entry("XDG_RUNTIME_DIR", home.toString()),
            Map.entry("OUTBOARD", place[1]),
            Map.entry("OUTBOARD_TOKEN", place[0]),
            Steady.SELDOM);
    String steady = Home.PROGRAMS.resolve("steady").toString();
    return Steady.start(network.at(DESK, List.of(steady)), variables);
  }

  /** How many rows of the ledger a lease has. */
  long rows(String lease) throws Exception {
    return typed("usage", "--format=csv").lines().filter(row -> row.contains(lease)).count();
  }

  /** Ends all that was started. */
  void end() throws Exception {
    List<Exception> failures = new ArrayList<>();
    for (Backend node : nodes.values()) {
      attempt(failures, () -> node.afterAll(null));
    }
    for (PoolBroker broker : brokers.values()) {
      attempt(failures, broker::kill);
    }
    if (postgres != null) {
      attempt(failures, postgres::close);
    }
    Program.run(List.of("umount", disk.toString()), Map.of());
    attempt(failures, () -> Folders.remove(disk));
    if (network != null) {
      attempt(failures, network::remove);
    }
    if (!failures.isEmpty()) {
      throw failures.getFirst();
    }
  }

  /** A step of the end, behind which there are others. */
  @FunctionalInterface
  private interface Step {
    void run() throws Exception;
  }

  private static void attempt(List<Exception> failures, Step step) {
    try {
      step.run();
    } catch (Exception e) {
      failures.add(e);
    }
  }

  /** Waits until both nodes have told the broker that leads how they are. */
  void awaitNodes() throws Exception {
    Patience.until(
        "both nodes report",
        () ->
            tried("node", "list").output().lines().filter(line -> line.contains(" joined ")).count()
                == NODES.size());
  }
}
