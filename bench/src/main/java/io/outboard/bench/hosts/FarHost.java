// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.hosts;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A network namespace that stands for another host, with a link to this machine's own. */
final class FarHost implements AutoCloseable {
  private static final String NETWORK = "10.77.";
  private static final String PREFIX = "/24";

  /** The network between two such hosts. */
  private static final String BETWEEN = NETWORK + "39.";

  private static final int FIRST_NETWORK = 37;

  /** The interface at its end, and that of a link to another such host. */
  private static final String END = "eth0";

  private static final String SIDE = "eth1";

  /** Two milliseconds' bytes: what the kernel may send at once. */
  private static final int BURST_BYTES_OF_MEGABIT = 250;

  private static final String LATENCY = "20ms";

  private final String network;
  private final String name;
  private final String near;

  private FarHost(int number) {
    network = NETWORK + (FIRST_NETWORK + number) + ".";
    String mine = ProcessHandle.current().pid() + "-" + number;
    name = "outboard-" + mine;
    near = "obh" + mine;
    Runtime.getRuntime().addShutdownHook(new Thread(this::remove, "end of the far host"));
  }

  /**
   * Makes it; what the machine refuses is in the exception.
   *
   * @param number 0 or 1
   */
  static FarHost open(int number) throws IOException {
    FarHost host = new FarHost(number);
    try {
      host.make();
      return host;
    } catch (IOException e) {
      host.close();
      throw e;
    }
  }

  private void make() throws IOException {
    must("ip", "netns", "add", name);
    must("ip", "link", "add", near, "type", "veth", "peer", "name", END, "netns", name);
    must("ip", "address", "add", network + 1 + PREFIX, "dev", near);
    must("ip", "link", "set", near, "up");
    must("ip", "-n", name, "address", "add", address() + PREFIX, "dev", END);
    must("ip", "-n", name, "link", "set", "lo", "up");
    must("ip", "-n", name, "link", "set", END, "up");
  }

  /** Its address. */
  String address() {
    return network + 2;
  }

  /**
   * Makes a link to another one, of so many megabits a second each way.
   *
   * @return the address of the other one on that link
   */
  String linkTo(FarHost other, int megabits) throws IOException {
    List<String> add = new ArrayList<>(List.of("ip", "-n", name, "link", "add", SIDE));
    add.addAll(List.of("type", "veth", "peer", "name", SIDE, "netns", other.name));
    must(add.toArray(String[]::new));
    begin(BETWEEN + 1, megabits);
    other.begin(BETWEEN + 2, megabits);
    return BETWEEN + 2;
  }

  private void begin(String address, int megabits) throws IOException {
    must("ip", "-n", name, "address", "add", address + PREFIX, "dev", SIDE);
    must("ip", "-n", name, "link", "set", SIDE, "up");
    shape(List.of("tc", "-n", name), SIDE, megabits);
  }

  /** The first words of a command that runs there. */
  List<String> prefix() {
    return List.of("ip", "netns", "exec", name);
  }

  /** The command, run there. */
  List<String> command(List<String> words) {
    return Stream.concat(prefix().stream(), words.stream()).toList();
  }

  /** Lets the link carry so many megabits a second each way; zero for no limit. */
  void limit(int megabits) throws IOException {
    shape(List.of("tc"), near, megabits);
    shape(List.of("tc", "-n", name), END, megabits);
  }

  private static void shape(List<String> command, String device, int megabits) throws IOException {
    List<String> all = new ArrayList<>(command);
    all.addAll(List.of("qdisc", "replace", "dev", device, "root"));
    all.addAll(megabits == 0 ? List.of("pfifo") : bucket(megabits));
    must(all.toArray(String[]::new));
  }

  private static List<String> bucket(int megabits) {
    String burst = Integer.toString(megabits * BURST_BYTES_OF_MEGABIT);
    return List.of("tbf", "rate", megabits + "mbit", "burst", burst, "latency", LATENCY);
  }

  private static String must(String... command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.onExit().join().exitValue() != 0) {
      throw new IOException(String.join(" ", command) + ": " + said.strip());
    }
    return said;
  }

  @Override
  public void close() {
    remove();
  }

  /** Ends the processes there; the kernel would remove its interface some time later. */
  private void remove() {
    try {
      must("ip", "netns", "pids", name)
          .lines()
          .flatMap(pid -> ProcessHandle.of(Long.parseLong(pid)).stream())
          .forEach(ProcessHandle::destroy);
      must("ip", "link", "delete", near);
      must("ip", "netns", "delete", name);
    } catch (IOException gone) {
      // It was closed before the benchmark ended, or never made.
    }
  }
}
