// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.container;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outboard.cli.command.Failure;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A container of LXC, by its name.
 *
 * @param name the name
 * @param path the folder of containers, where it is not the usual one
 */
record Lxc(String name, Optional<String> path) {
  private static final String DEVICE = "lxc-device";
  private static final String STOPPED = "STOPPED";

  /** Lets it use a file of a device: the file is made in it, its control group permits it. */
  void add(String node) throws Failure {
    run(command(DEVICE, "--", "add", node));
  }

  /** Takes such a file back. */
  void remove(String node) throws Failure {
    run(command(DEVICE, "--", "del", node));
  }

  /** Whether it runs; of one that has no configuration of its own nothing is known afterwards. */
  boolean isRunning() throws Failure {
    Ended info = ended(command("lxc-info", "--state", "--no-humanize"));
    return info.succeeded() && !info.output().equals(STOPPED);
  }

  /** Waits until it does not run any more. */
  void awaitStopped() throws Failure {
    run(command("lxc-wait", "--state=" + STOPPED));
  }

  /** Whether it has stopped, or does so within a time of at least a second. */
  boolean stopsWithin(Duration time) throws Failure {
    return ended(command("lxc-wait", "--state=" + STOPPED, "--timeout=" + time.toSeconds()))
        .succeeded();
  }

  private List<String> command(String program, String... words) {
    List<String> command = new ArrayList<>(List.of(program, "--name=" + name));
    path.ifPresent(folder -> command.add("--lxcpath=" + folder));
    command.addAll(List.of(words));
    return command;
  }

  private static void run(List<String> command) throws Failure {
    Ended ended = ended(command);
    if (!ended.succeeded()) {
      throw new Failure("'%s' failed: %s".formatted(String.join(" ", command), ended.output()));
    }
  }

  /** It warns also where all is well: its lines are told where it fails. */
  private record Ended(boolean succeeded, String output) {}

  private static Ended ended(List<String> command) throws Failure {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String output = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
      return new Ended(process.waitFor() == 0, output);
    } catch (IOException e) {
      throw new Failure("%s cannot be run: is LXC installed?".formatted(command.getFirst()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Failure("interrupted");
    }
  }
}
