// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.openstack;

import io.outboard.cli.command.Failure;
import io.outboard.openstack.cloud.Nova;
import io.outboard.openstack.offer.Flavor;
import io.outboard.openstack.offer.GpuModel;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code outboard openstack flavor}. */
@Command(
    name = "flavor",
    mixinStandardHelpOptions = true,
    description = "Prints the command that makes a flavor with remote GPUs, or makes it.")
final class MakeFlavor implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @ParentCommand private OpenstackCommand parent;

  @Parameters(paramLabel = "NAME", description = "The flavor's name, as cg1.xlarge.")
  private String name;

  @Option(
      names = "--gpus",
      paramLabel = "N",
      defaultValue = "1",
      description = "How many GPUs a machine has. Default: ${DEFAULT-VALUE}")
  private long gpus;

  @Option(
      names = "--memory",
      paramLabel = "GIB",
      defaultValue = "0",
      description = "How much memory of one GPU a machine has, and its time; 0 for whole GPUs.")
  private long memory;

  @Option(
      names = "--model",
      paramLabel = "WORD",
      required = true,
      description = "A word of the GPUs' name, as h200, or all of it.")
  private String model;

  @Option(
      names = "--vcpus",
      paramLabel = "N",
      defaultValue = "4",
      description = "Processors. Default: ${DEFAULT-VALUE}")
  private long vcpus;

  @Option(
      names = "--ram",
      paramLabel = "MIB",
      defaultValue = "16384",
      description = "Memory in MiB. Default: ${DEFAULT-VALUE}")
  private long ram;

  @Option(
      names = "--disk",
      paramLabel = "GIB",
      defaultValue = "40",
      description = "Disk in GiB. Default: ${DEFAULT-VALUE}")
  private long disk;

  @Option(names = "--create", description = "Makes it, or sets its keys where it is there already.")
  private boolean create;

  @Override
  public Integer call() throws Failure {
    Flavor flavor = new Flavor(name, vcpus, ram, disk, gpus, memory, model);
    try {
      Map<String, String> specs = flavor.specs(GpuModel.of(parent.office().devices()));
      if (create) {
        new Nova(parent.keystone()).makeFlavor(name, vcpus, ram, disk, specs);
        specs.forEach((key, value) -> spec.commandLine().getOut().println(key + "=" + value));
      } else {
        spec.commandLine().getOut().println(flavor.command(specs));
      }
      return 0;
    } catch (IllegalArgumentException e) {
      throw new Failure(e.getMessage());
    } catch (IOException e) {
      throw new Failure(e);
    }
  }
}
