// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.openstack;

import io.outboard.api.json.Json;
import io.outboard.cli.command.Failure;
import io.outboard.openstack.cloud.Nova;
import io.outboard.openstack.discover.CloudGlue;
import io.outboard.openstack.offer.GpuModel;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code outboard openstack glue}. */
@Command(
    name = "glue",
    mixinStandardHelpOptions = true,
    description = {
      "Prints flavors with remote GPUs, and shares of virtual organisations, in GLUE 2.1.",
      "The JSON is that of EGI's cloud-info-provider, for whose topic it is."
    })
final class PrintGlue implements Callable<Integer> {
  /** Nova asks Keystone about each resource of a quota: that took 22 s on a busy machine. */
  private static final Duration LIMIT = Duration.ofMinutes(2);

  @Spec private CommandSpec spec;
  @ParentCommand private OpenstackCommand parent;

  @Option(
      names = "--vo",
      paramLabel = "NAME=PROJECT",
      description = "A virtual organisation, and the id of its project; may be given for each.")
  private final Map<String, String> organisations = new TreeMap<>();

  @Override
  public Integer call() throws Failure {
    organisations.values().forEach(this::check);
    try {
      CloudGlue glue =
          new CloudGlue(
              new Nova(parent.keystone(LIMIT)),
              GpuModel.of(parent.office().devices()).values(),
              parent.identity(),
              organisations);
      spec.commandLine().getOut().println(Json.write(glue.document(Instant.now())));
      return 0;
    } catch (IOException e) {
      throw new Failure(e);
    }
  }

  private void check(String project) {
    if (!project.matches("[0-9a-fA-F-]{32,36}")) {
      throw new ParameterException(
          spec.commandLine(), "'%s' is no id of a project".formatted(project));
    }
  }
}
