// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.device;

import io.outboard.api.json.Ordered;
import io.outboard.cli.command.Answer;
import io.outboard.cli.command.BackendOption;
import io.outboard.cli.command.Failure;
import io.outboard.cli.command.Line;
import io.outboard.cli.command.Output;
import io.outboard.cli.command.Version;
import io.outboard.client.Session;
import io.outboard.client.find.Found;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code outboard devices}. */
@Command(
    name = "devices",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = "Prints which devices the backend has.")
public final class Devices implements Callable<Integer> {
  @Mixin private BackendOption option;
  @Mixin private Output output;

  @Override
  public Integer call() throws Failure {
    try {
      Found backend = option.find();
      Session.ask(backend.endpoint(), System.getenv());
      output.print(answer(backend, DeviceList.of(backend.endpoint())));
      return 0;
    } catch (IOException e) {
      throw new Failure(e);
    }
  }

  private static Answer answer(Found backend, List<Device> devices) {
    Stream<Line> heading =
        Stream.of(
            Line.row("backend " + backend.endpoint() + " (from " + backend.where() + ")"),
            Line.heading(Device.heading(devices)));
    return new Answer(
        Ordered.of(
            "backend", backend.endpoint().toString(),
            "from", backend.where(),
            "devices", devices.stream().map(Device::json).toList()),
        Stream.concat(heading, devices.stream().map(Device::row).map(Line::row)).toList());
  }
}
