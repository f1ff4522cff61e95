// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Two network namespaces of this machine, a program's and a backend's, with a link between them
 * that can be cut as links are: each has one end of a pair of virtual interfaces.
 */
final class VethLink {
  /** The backend's address. */
  static final String BACKEND = "10.77.35.1";

  private static final String PREFIX = "/24";

  /** The name of an interface, in its own namespace. */
  private static final String END = "veth0";

  private static final int FIRST_CLIENT = 10;

  private final String mine = "outboard-p-" + ProcessHandle.current().pid();
  private final String theirs = "outboard-b-" + ProcessHandle.current().pid();
  private int client = FIRST_CLIENT;

  private VethLink() {}

  /** Makes both; the error of the command that this machine refuses is in the exception. */
  static VethLink open() throws IOException, InterruptedException {
    VethLink link = new VethLink();
    try {
      link.make();
      return link;
    } catch (IOException e) {
      link.remove();
      throw e;
    }
  }

  private void make() throws IOException, InterruptedException {
    must("ip", "netns", "add", mine);
    must("ip", "netns", "add", theirs);
    must(
        "ip", "-n", mine, "link", "add", END, "type", "veth", "peer", "name", END, "netns", theirs);
    must("ip", "-n", mine, "address", "add", address(), "dev", END);
    must("ip", "-n", theirs, "address", "add", BACKEND + PREFIX, "dev", END);
    must("ip", "-n", theirs, "link", "set", "lo", "up");
    must("ip", "-n", mine, "link", "set", END, "up");
    up();
  }

  private String address() {
    return BACKEND.replaceFirst("[0-9]+$", Integer.toString(client)) + PREFIX;
  }

  private static Program.Ended run(String... command) throws IOException, InterruptedException {
    return Program.run(List.of(command), Map.of());
  }

  private static void must(String... command) throws IOException, InterruptedException {
    Program.Ended ended = run(command);
    if (ended.status() != 0) {
      throw new IOException(String.join(" ", command) + ": " + ended.errors().strip());
    }
  }

  /** The command in the backend's namespace; its process is the command's. */
  List<String> besideBackend(List<String> command) {
    return in(theirs, command);
  }

  /** The same in the program's. */
  List<String> besideProgram(List<String> command) {
    return in(mine, command);
  }

  private static List<String> in(String namespace, List<String> command) {
    List<String> all = new ArrayList<>(List.of("ip", "netns", "exec", namespace));
    all.addAll(command);
    return all;
  }

  /** Nothing passes any more; neither side is told. */
  void down() throws IOException, InterruptedException {
    must("ip", "-n", theirs, "link", "set", END, "down");
  }

  /** It passes again. */
  void up() throws IOException, InterruptedException {
    must("ip", "-n", theirs, "link", "set", END, "up");
  }

  /** The program's machine has another address, as one that moved; neither side is told. */
  void move() throws IOException, InterruptedException {
    must("ip", "-n", mine, "address", "delete", address(), "dev", END);
    client++;
    must("ip", "-n", mine, "address", "add", address(), "dev", END);
  }

  /** Ends all connections to a port of the backend, for both sides. */
  void reset(int port) throws IOException, InterruptedException {
    must("ip", "netns", "exec", theirs, "ss", "-K", "state", "established", "sport = :" + port);
  }

  /** Removes both; their interfaces go with them. */
  void remove() throws IOException, InterruptedException {
    run("ip", "netns", "delete", mine);
    run("ip", "netns", "delete", theirs);
  }
}
