// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Some machines on one network that leads nowhere else: namespaces of this machine's network, each
 * with one end of a pair of virtual interfaces. The other ends are at a bridge, in a namespace of
 * its own.
 */
final class SmallNetwork {
  private static final AtomicInteger NUMBER = new AtomicInteger();
  private static final String BRIDGE = "bridge0";
  private static final String END = "veth0";

  private final String prefix =
      "outboard-%d-%d-".formatted(ProcessHandle.current().pid(), NUMBER.incrementAndGet());
  private final List<String> machines;

  private SmallNetwork(List<String> machines) {
    this.machines = List.copyOf(machines);
  }

  /** Makes one; who cannot skips the test, with the reason. */
  static SmallNetwork open(String... machines) throws IOException, InterruptedException {
    assumeTrue(Program.isHere("ip"), "this machine has no ip (iproute2)");
    SmallNetwork network = new SmallNetwork(List.of(machines));
    try {
      network.make();
    } catch (IOException e) {
      network.remove();
      abort("this machine makes no network namespaces: " + e.getMessage());
    }
    return network;
  }

  /** Whether this machine makes such. */
  static boolean isPossible() throws IOException, InterruptedException {
    if (!Program.isHere("ip")) {
      return false;
    }
    SmallNetwork network = new SmallNetwork(List.of());
    try {
      network.make();
      return true;
    } catch (IOException e) {
      return false;
    } finally {
      network.remove();
    }
  }

  private void make() throws IOException, InterruptedException {
    must("ip", "netns", "add", hub());
    must("ip", "-n", hub(), "link", "add", BRIDGE, "type", "bridge");
    must("ip", "-n", hub(), "link", "set", BRIDGE, "up");
    for (String machine : machines) {
      String own = namespace(machine);
      must("ip", "netns", "add", own);
      must(
          "ip",
          "-n",
          own,
          "link",
          "add",
          END,
          "type",
          "veth",
          "peer",
          "name",
          plug(machine),
          "netns",
          hub());
      must("ip", "-n", hub(), "link", "set", plug(machine), "master", BRIDGE);
      must("ip", "-n", own, "address", "add", address(machine) + "/24", "dev", END);
      must("ip", "-n", own, "link", "set", "lo", "up");
      must("ip", "-n", own, "link", "set", END, "up");
      join(machine);
    }
  }

  private String hub() {
    return prefix + "hub";
  }

  private String namespace(String machine) {
    return prefix + machine;
  }

  /** The end of its cable at the bridge. */
  private String plug(String machine) {
    return "to-" + machines.indexOf(machine);
  }

  /** Where others reach it. */
  String address(String machine) {
    return "10.77.36." + (1 + machines.indexOf(machine));
  }

  /** A command on a machine; its process is the command's. */
  List<String> at(String machine, List<String> command) {
    List<String> all = new ArrayList<>(List.of("ip", "netns", "exec", namespace(machine)));
    all.addAll(command);
    return all;
  }

  private void join(String machine) throws IOException, InterruptedException {
    must("ip", "-n", hub(), "link", "set", plug(machine), "master", BRIDGE);
    must("ip", "-n", hub(), "link", "set", plug(machine), "up");
  }

  /** Nothing passes any more between two of them, and neither is told. */
  void part(String one, String other) throws IOException, InterruptedException {
    must("ip", "-n", namespace(one), "route", "add", "blackhole", address(other));
    must("ip", "-n", namespace(other), "route", "add", "blackhole", address(one));
  }

  /** It passes again. */
  void rejoin(String one, String other) throws IOException, InterruptedException {
    must("ip", "-n", namespace(one), "route", "delete", "blackhole", address(other));
    must("ip", "-n", namespace(other), "route", "delete", "blackhole", address(one));
  }

  private static void must(String... command) throws IOException, InterruptedException {
    Program.Ended ended = Program.run(List.of(command), Map.of());
    if (ended.status() != 0) {
      throw new IOException(String.join(" ", command) + ": " + ended.errors().strip());
    }
  }

  /** Removes all of it; the interfaces go with their namespaces. */
  void remove() throws IOException, InterruptedException {
    for (String machine : machines) {
      Program.run(List.of("ip", "netns", "delete", namespace(machine)), Map.of());
    }
    Program.run(List.of("ip", "netns", "delete", hub()), Map.of());
  }
}
