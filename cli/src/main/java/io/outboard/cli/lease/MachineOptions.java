// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.lease;

import io.outboard.backend.offload.OffloadSettings;
import io.outboard.cli.cloud.CloudOptions;
import io.outboard.cli.command.Failure;
import io.outboard.cli.command.Quantities;
import io.outboard.cli.machine.Machine;
import io.outboard.cli.machine.MachineFolders;
import io.outboard.cli.machine.MachineImage;
import io.outboard.cli.machine.MachineSeed;
import io.outboard.cli.machine.MachineSoftware;
import io.outboard.cli.machine.NovaMachine;
import io.outboard.cli.machine.QemuMachine;
import io.outboard.openstack.cloud.LeaseMachines;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** How {@code lease} makes a virtual machine that has the lease. */
final class MachineOptions {
  /** The machine that has the lease. */
  enum With {
    vm
  }

  private static final String HERE = "127.0.0.1";
  private static final String SECURE = "https://";
  private static final int HIGHEST_PORT = 65_535;

  @Option(
      names = "--with",
      paramLabel = "vm",
      description = {
        "Makes a virtual machine that has the lease and runs a service, and stays beside it: it is",
        "suspended when nobody calls, resumed by a call, and destroyed with the lease, at the end",
        "of --for, or with this command."
      })
  private With with;

  @Option(
      names = "--flavor",
      paramLabel = "NAME",
      description = {
        "With vm: a machine of OpenStack's of this flavor, which needs no GPUs of its own; the",
        "variables OS_AUTH_URL, OS_USERNAME and so on say where. Default: one of QEMU's here."
      })
  private String flavor;

  @Option(
      names = "--image",
      paramLabel = "PATH",
      description = {
        "With vm: a disk of Debian with cloud-init, or a folder with disk.raw, vmlinuz and initrd.",
        "Nothing is written to it. With --flavor the id of an image."
      })
  private String image;

  @Option(
      names = "--network",
      paramLabel = "ID",
      defaultValue = "auto",
      description = "With --flavor: its network, auto or none. Default: ${DEFAULT-VALUE}")
  private String network;

  @Option(
      names = "--service",
      paramLabel = "JAR",
      description = {
        "With vm: the jar that runs there ('java -jar'). It listens at OUTBOARD_SERVICE_PORT, and",
        "its programs have the lease. With --flavor an address of https."
      })
  private String service;

  @Option(
      names = "--client",
      paramLabel = "DEB",
      description = {
        "With vm: the package outboard-client that is installed there. With --flavor an address of",
        "https."
      })
  private String client;

  @Option(
      names = "--offload",
      paramLabel = "FILE",
      description = {
        "With vm: in the place of a service the machine runs methods of clients, as 'serve",
        "--offload FILE' does, and their GPU is the lease's. The lease's token is that of the",
        "machine. See docs/offload.md."
      })
  private Path offload;

  @Option(
      names = "--server",
      paramLabel = "TARBALL",
      description = {
        "With --offload: the server's tarball, which brings its own Java. With --flavor an address",
        "of https."
      })
  private String server;

  @Option(
      names = "--service-port",
      paramLabel = "N",
      defaultValue = "8080",
      description = "With vm: where the service listens. Default: ${DEFAULT-VALUE}")
  private int port;

  @Option(
      names = "--calls",
      paramLabel = "[HOST:]PORT",
      defaultValue = "0",
      description = {
        "With vm: where calls of the service come to on this machine. Default: a free port of",
        "127.0.0.1, which is printed."
      })
  private String calls;

  @Option(
      names = "--machine-idle",
      paramLabel = "TIME",
      converter = Quantities.Time.class,
      defaultValue = "10m",
      description = {
        "With vm: after so long without a call the machine is suspended, and others may have its",
        "GPUs. Default: ${DEFAULT-VALUE}"
      })
  private Duration idle;

  @Option(
      names = "--machine-memory",
      paramLabel = "MIB",
      defaultValue = "1024",
      description = "With vm: its memory. Default: ${DEFAULT-VALUE}")
  private int memory;

  @Option(
      names = "--machine-processors",
      paramLabel = "N",
      defaultValue = "1",
      description = "With vm: its processors. Default: ${DEFAULT-VALUE}")
  private int processors;

  @Option(
      names = "--accelerator",
      paramLabel = "NAME",
      defaultValue = "kvm:tcg",
      description = "With vm: QEMU's accelerator; the first that works. Default: ${DEFAULT-VALUE}")
  private String accelerators;

  /** Whether a machine is wanted. */
  boolean isAsked() {
    return with != null;
  }

  /** Names something that is missing or wrong; empty for nothing. */
  String mistake() {
    boolean program = service != null || client != null;
    boolean methods = offload != null || server != null;
    if (with == null) {
      boolean told = image != null || flavor != null || program || methods;
      return told
          ? "--image, --service, --client, --offload, --server and --flavor are for --with vm"
          : "";
    }
    boolean whole = methods ? offload != null && server != null : service != null && client != null;
    if (image == null || !whole || (program && methods)) {
      return "--with vm wants --image, and --service with --client or --offload with --server";
    }
    boolean secure =
        Stream.of(service, client, server)
            .filter(Objects::nonNull)
            .allMatch(one -> one.startsWith(SECURE));
    return flavor == null || secure
        ? ""
        : "with --flavor --client, --service and --server are https://…";
  }

  /** A file that the machine could not use is told of here. */
  private MachineSoftware software() throws IOException {
    if (offload == null) {
      return new MachineSoftware.Program(client, service);
    }
    OffloadSettings unused = OffloadSettings.read(offload);
    return new MachineSoftware.Methods(server, Files.readString(offload));
  }

  /**
   * Makes the machine.
   *
   * @param folder that is its own, on this machine
   * @param lease its id
   * @param place where programs of this machine find the lease's GPUs
   */
  Machine make(MachineFolders.Held folder, String lease, String place, String token)
      throws Failure, IOException {
    MachineSeed seed = new MachineSeed(seen(place), token, software(), port);
    if (flavor == null) {
      return QemuMachine.start(
          folder,
          lease,
          MachineImage.of(Path.of(image)),
          seed,
          new QemuMachine.Build(accelerators, memory, processors));
    }
    LeaseMachines nova = new LeaseMachines(CloudOptions.ofEnvironment().keystone());
    return NovaMachine.start(
        nova, new LeaseMachines.Wanted(lease, flavor, image, network, seed.ofCloud()), port);
  }

  /** Where a machine's programs find what is found there on this machine. */
  private String seen(String place) throws Failure {
    URI uri = URI.create(place);
    boolean here = HERE.equals(uri.getHost()) || "localhost".equals(uri.getHost());
    boolean far = "tcp".equals(uri.getScheme()) || "tls".equals(uri.getScheme());
    if (!far || (here && flavor != null)) {
      throw new Failure(
          "a machine does not reach %s: name a backend by tcp or tls".formatted(place));
    }
    return here ? place.replace(uri.getHost(), QemuMachine.HOST) : place;
  }

  InetSocketAddress calls() throws Failure {
    int colon = calls.lastIndexOf(':');
    try {
      int number = Integer.parseInt(calls.substring(colon + 1));
      if (number >= 0 && number <= HIGHEST_PORT) {
        return new InetSocketAddress(colon < 0 ? HERE : calls.substring(0, colon), number);
      }
    } catch (NumberFormatException e) {
      // It is told below.
    }
    throw new Failure("'%s' is no port, and no host with one".formatted(calls));
  }

  Duration idle() {
    return idle;
  }
}
