// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.device;

import io.outboard.api.json.Ordered;
import io.outboard.cli.command.Answer;
import io.outboard.cli.command.BackendOption;
import io.outboard.cli.command.Failure;
import io.outboard.cli.command.Line;
import io.outboard.cli.command.Output;
import io.outboard.cli.command.Quantities;
import io.outboard.cli.command.Version;
import io.outboard.cli.discover.Discovered;
import io.outboard.cli.discover.Discovery;
import io.outboard.client.Session;
import io.outboard.client.find.Found;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code outboard devices}. */
@Command(
    name = "devices",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = {
      "Prints which devices the backend has.",
      "With --discover, which backends and brokers of the local network say that they are there",
      "('serve --announce'). That proves nothing of them: a client trusts a certificate, and proves",
      "a token, as ever."
    })
public final class Devices implements Callable<Integer> {
  @Mixin private BackendOption option;
  @Mixin private Output output;

  @Option(names = "--discover", description = "Looks around on the local network, by DNS-SD.")
  private boolean discover;

  @Option(
      names = "--within",
      paramLabel = "TIME",
      defaultValue = "3s",
      converter = Quantities.Time.class,
      description = "For how long --discover looks. Default: ${DEFAULT-VALUE}")
  private Duration within;

  @Override
  public Integer call() throws Failure {
    try {
      if (discover) {
        output.print(Discovered.table(Discovery.look(within)));
        return 0;
      }
      Found backend = option.find();
      Map<String, String> environment = option.environment();
      Session.ask(backend.endpoint(), environment);
      output.print(answer(backend, DeviceList.of(backend.endpoint(), environment)));
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
