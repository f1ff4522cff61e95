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
import java.util.stream.Stream;

/** Brokers over one store, and nodes, as their operators have them; all on this machine. */
final class NodePool {
  /** Each look costs the broker and its store something, too. */
  static final long LOOK_MS = 100;

  private final Path home;
  private final Certificates certificates;
  private final Launcher outboard;
  private final List<PoolBroker> brokers = new ArrayList<>();
  private final List<Backend> nodes = new ArrayList<>();
  private PostgresServer postgres;
  private PoolBroker leader;

  /** One without a process yet, in an empty folder. */
  NodePool(Path home) throws IOException {
    this.home = home;
    certificates = new Certificates(home);
    certificates.write("broker", certificates.server("127.0.0.1"));
    outboard = new Launcher(Files.createDirectory(home.resolve("user")));
  }

  /** Starts so many brokers: the first one leads, the others wait for its end. */
  void startBrokers(int count) throws Exception {
    postgres = PostgresServer.start();
    for (int number = 0; number < count; number++) {
      Path folder = home.resolve("broker" + number);
      brokers.add(new PoolBroker(folder, postgres.uri(""), home.resolve("broker.pem")));
    }
    brokers.getFirst().start();
    lead(brokers.getFirst());
    for (PoolBroker broker : brokers.subList(1, count)) {
      broker.startBehind();
    }
  }

  PoolBroker broker(int number) {
    return brokers.get(number);
  }

  /** Commands ask this one from now on. */
  void lead(PoolBroker broker) {
    leader = broker;
    outboard.set("OUTBOARD", "unix:" + broker.socket());
  }

  /** Starts a node, which joins with an invitation. */
  Backend join(String name, String devices, String... more) throws Exception {
    Path token = home.resolve(name + ".token");
    Files.writeString(token, typed("node", "invite", name));
    Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
    Stream<String> of = brokers.stream().map(broker -> "--pool=" + broker.api());
    Stream<String> its =
        Stream.of(
            "--grace=0",
            "--pool-ca=" + certificates.ca(),
            "--pool-name=" + name,
            "--pool-token-file=" + token);
    String[] options =
        Stream.of(of, its, Stream.of(more)).flatMap(each -> each).toArray(String[]::new);
    Backend node = new Backend(devices, options);
    nodes.add(node);
    node.beforeAll(null);
    return node;
  }

  /** The variables of a user of the HTTP interface of the broker that leads now. */
  Map<String, String> webVariables() throws Exception {
    Map<String, String> variables = new HashMap<>(variables());
    variables.remove("OUTBOARD");
    variables.put("OUTBOARD_API", leader.api());
    variables.put("OUTBOARD_API_CA", certificates.ca().toString());
    variables.put(
        "OUTBOARD_API_TOKEN",
        typed("token", "create", "--role=user", "--tenant=ada", "--for=1d").strip());
    return variables;
  }

  List<Backend> nodes() {
    return nodes;
  }

  /** A command of a user, as it ends. */
  Program.Ended run(String... arguments) throws Exception {
    return outboard.run(arguments);
  }

  /** The output of a command, which succeeds. */
  String typed(String... arguments) throws Exception {
    Program.Ended ended = run(arguments);
    assertEquals(0, ended.status(), ended::toString);
    return ended.output();
  }

  /** Asks for a lease, and does not wait; its id. */
  String lease(String... more) throws Exception {
    Stream<String> words = Stream.of("lease", "--for=10m", "--detach");
    return typed(Stream.concat(words, Stream.of(more)).toArray(String[]::new)).strip();
  }

  /** Asks as the command does, whose start would take longer than all that is waited for. */
  boolean isIn(String state, String lease) throws Exception {
    Form found = Leases.ask(leader.socket(), "find", new Form().with("id", lease)).getFirst();
    boolean is = found.get("state").equals(state);
    if (!is) {
      Thread.sleep(LOOK_MS);
    }
    return is;
  }

  void await(String state, String lease) throws Exception {
    Patience.until(lease + " is " + state, () -> isIn(state, lease));
  }

  /** The token of a lease, and where its programs connect to. */
  String place(String lease) throws Exception {
    return typed("leases", "--place", lease);
  }

  /** How many rows of the ledger a lease has. */
  long rows(String lease) throws Exception {
    return typed("usage", "--format=csv").lines().filter(row -> row.contains(lease)).count();
  }

  /** The words that run a program with a lease. */
  List<String> running(String lease, String... program) {
    return Stream.concat(
            Stream.of(home.resolve("user/outboard").toString(), "run", "--lease", lease),
            Stream.of(program))
        .toList();
  }

  /** The variables of a user who asks the broker that leads now. */
  Map<String, String> variables() {
    String there = home.toString();
    return Map.ofEntries(
        Map.entry("HOME", there),
        Map.entry("XDG_RUNTIME_DIR", there),
        Map.entry("XDG_CONFIG_HOME", ""),
        Map.entry("OUTBOARD", "unix:" + leader.socket()),
        Steady.SELDOM);
  }

  /**
   * The same of a user who has a lease, whose program needs nobody but its nodes; to be changed.
   */
  Map<String, String> variables(String lease) throws Exception {
    List<String> place = List.of(place(lease).strip().split(" ", 2));
    Map<String, String> variables = new HashMap<>(variables());
    variables.put("OUTBOARD_TOKEN", place.getFirst());
    variables.put("OUTBOARD", place.getLast());
    return variables;
  }

  /** Ends all that was started. */
  void end() throws Exception {
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
}
