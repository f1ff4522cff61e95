// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.hosts;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A network namespace that stands for another host, with a link to this machine's own. */
final class FarHost implements AutoCloseable {
  private static final String HERE = "10.77.37.1";
  private static final String THERE = "10.77.37.2";
  private static final String PREFIX = "/24";

  /** The interface at its end. */
  private static final String END = "eth0";

  /** Two milliseconds' bytes: what the kernel may send at once. */
  private static final int BURST_BYTES_OF_MEGABIT = 250;

  private static final String LATENCY = "20ms";

  private final String name = "outboard-h-" + ProcessHandle.current().pid();
  private final String near = "obh" + ProcessHandle.current().pid();

  private FarHost() {
    Runtime.getRuntime().addShutdownHook(new Thread(this::remove, "end of the far host"));
  }

  /** Makes it; what the machine refuses is in the exception. */
  static FarHost open() throws IOException {
    FarHost host = new FarHost();
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
    must("ip", "address", "add", HERE + PREFIX, "dev", near);
    must("ip", "link", "set", near, "up");
    must("ip", "-n", name, "address", "add", THERE + PREFIX, "dev", END);
    must("ip", "-n", name, "link", "set", "lo", "up");
    must("ip", "-n", name, "link", "set", END, "up");
  }

  /** Its address. */
  String address() {
    return THERE;
  }

  /** What a command begins with that runs there. */
  List<String> prefix() {
    return List.of("ip", "netns", "exec", name);
  }

  /** Lets the link carry so many megabits a second each way; zero for no limit. */
  void limit(int megabits) throws IOException {
    shape(List.of("tc"), near, megabits);
    shape(List.of("tc", "-n", name), END, megabits);
  }

  private static void shape(List<String> command, String device, int megabits)
      throws IOException {
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

  /** What still runs there ends, and its interface goes with it. */
  private void remove() {
    try {
      must("ip", "netns", "pids", name)
          .lines()
          .flatMap(pid -> ProcessHandle.of(Long.parseLong(pid)).stream())
          .forEach(ProcessHandle::destroy);
      must("ip", "netns", "delete", name);
    } catch (IOException gone) {
      // It was closed before the benchmark ended, or never made.
    }
  }
}
