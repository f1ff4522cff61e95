// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.container;

import io.outboard.cli.command.Failure;
import io.outboard.cli.command.Version;
import io.outboard.cli.lease.HeldLease;
import io.outboard.cli.lease.LeaseClient;
import io.outboard.cli.lease.LeaseOptions;
import io.outboard.cli.lease.Leasing;
import io.outboard.cli.lease.PatienceOption;
import io.outboard.lease.Form;
import io.outboard.lease.LeaseMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code outboard lxc-device}. */
@Command(
    name = "lxc-device",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = {
      "Gives whole GPUs of this host to an LXC container that runs.",
      "Takes them out of the pool, as 'lease --mode device' does, and adds the files of their devices",
      "to the container, with the permission of its control group. Takes all of it back when the",
      "container stops, when the lease is revoked, and when this command is interrupted."
    },
    footer = {
      "",
      "If this command is killed, the container keeps its GPUs, and the lease drains until somebody",
      "says 'release'. The backend is this host's; the container has NVIDIA's libraries itself."
    })
public final class LxcDevice implements Callable<Integer> {
  private static final Duration LOOK = Duration.ofSeconds(2);

  @Spec private CommandSpec spec;
  @Mixin private LeaseClient backend;
  @Mixin private LeaseOptions options;
  @Mixin private PatienceOption waiting;

  @Option(
      names = {"-n", "--name"},
      paramLabel = "NAME",
      required = true,
      description = "The container.")
  private String name;

  @Option(
      names = {"-P", "--lxcpath"},
      paramLabel = "FOLDER",
      description = "Where it is, if not in LXC's usual folder.")
  private String path;

  @Override
  public Integer call() throws Failure {
    Lxc container = new Lxc(name, Optional.ofNullable(path));
    if (!container.isRunning()) {
      throw new Failure("the container %s does not run".formatted(name));
    }
    return LeaseClient.understood(() -> give(container));
  }

  private int give(Lxc container) throws Failure {
    Leasing leasing = new Leasing(backend, spec);
    Form request = options.form().with("mode", LeaseMode.DEVICE.label());
    try (HeldLease held = HeldLease.take(leasing, request, waiting.patience())) {
      leasing.tell(held.row().sentence());
      List<String> nodes = nodes(held.row().id());
      List<String> given = new ArrayList<>();
      held.beforeRelease(() -> takeBack(container, given));
      for (String node : nodes) {
        given.add(node);
        container.add(node);
      }
      leasing.tell("%s has %s".formatted(name, String.join(" ", nodes)));
      while (!container.stopsWithin(LOOK) && leasing.isGranted(held.row())) {
        // Both are looked at again.
      }
    }
    return 0;
  }

  private List<String> nodes(String lease) throws Failure {
    TreeSet<String> nodes = new TreeSet<>();
    for (Form gpu : backend.ask("handover", new Form().with("id", lease))) {
      nodes.addAll(gpu.words("nodes"));
    }
    if (nodes.isEmpty()) {
      throw new Failure("this host has no files of devices for these GPUs: they are software");
    }
    return List.copyOf(nodes);
  }

  /** A container that has stopped has lost them with its control group. */
  private static void takeBack(Lxc container, List<String> nodes) throws Failure {
    for (String node : nodes) {
      if (container.isRunning()) {
        container.remove(node);
      }
    }
  }
}
