// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.device;

import io.outboard.api.json.Json;
import io.outboard.cli.command.BackendOption;
import io.outboard.cli.command.Failure;
import io.outboard.cli.command.Version;
import io.outboard.client.find.Found;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code outboard devices}. */
@Command(
    name = "devices",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = "Prints which devices the backend has.")
public final class Devices implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private BackendOption option;

  @Option(names = "--json", description = "JSON instead of a table.")
  private boolean json;

  @Override
  public Integer call() throws Failure {
    PrintWriter out = spec.commandLine().getOut();
    try {
      Found backend = option.find();
      List<Device> devices = DeviceList.of(backend.endpoint());
      if (json) {
        out.println(json(backend, devices));
      } else {
        out.println("backend " + backend.endpoint() + " (from " + backend.where() + ")");
        out.println(Device.heading(devices));
        devices.forEach(device -> out.println(device.row()));
      }
      out.flush();
      return 0;
    } catch (IOException e) {
      throw new Failure(e);
    }
  }

  private static String json(Found backend, List<Device> devices) {
    return """
        {
          "backend": %s,
          "from": %s,
          "devices": [%s]
        }"""
        .formatted(
            Json.text(backend.endpoint().toString()),
            Json.text(backend.where()),
            devices.stream()
                .map(device -> "\n" + Json.write(device.json()))
                .collect(Collectors.joining(",", "", "\n  ")));
  }
}
