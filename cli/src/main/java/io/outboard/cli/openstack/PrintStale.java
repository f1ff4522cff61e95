// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.openstack;

import io.outboard.api.ApiAddress;
import io.outboard.cli.command.Answer;
import io.outboard.cli.command.Failure;
import io.outboard.cli.command.Output;
import io.outboard.cli.command.Quantities;
import io.outboard.office.rest.Fields;
import io.outboard.openstack.cloud.Keystone;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** {@code outboard openstack stale}. */
@Command(
    name = "stale",
    mixinStandardHelpOptions = true,
    description = {
      "Lists machines that hold GPUs and do not use them, the longest unused ones first.",
      "'outboard openstack serve' answers, and knows of what it has seen itself."
    })
final class PrintStale implements Callable<Integer> {
  @ParentCommand private OpenstackCommand parent;
  @Mixin private Output output;

  @Option(
      names = "--adapter",
      paramLabel = "URL",
      defaultValue = "http://127.0.0.1:14905",
      description = "Where 'serve' listens. Default: ${DEFAULT-VALUE}")
  private URI adapter;

  @Option(
      names = "--over",
      paramLabel = "TIME",
      defaultValue = "0",
      converter = Quantities.TimeOrNone.class,
      description = "Only those that have been unused for longer.")
  private Duration over;

  @Option(
      names = "--price",
      paramLabel = "NUMBER",
      description = "Of a GPU for an hour: what the unused time has cost is told, too.")
  private BigDecimal price;

  @Override
  public Integer call() throws Failure {
    try {
      StaleRows rows = new StaleRows(machines(), InstantSource.system().instant(), price);
      output.print(new Answer(rows.json(over), rows.lines(over)));
      return 0;
    } catch (IOException | IllegalArgumentException e) {
      throw new Failure(e.getMessage());
    }
  }

  /** A token goes along, which is encrypted on its way to another machine. */
  private List<Fields> machines() throws IOException {
    ApiAddress address = ApiAddress.parse(adapter.toString());
    OfficeOptions.checkSecret(adapter, address);
    Keystone keystone = parent.keystone();
    Map<String, String> headers = Map.of("X-Auth-Token", keystone.token());
    return keystone
        .rest()
        .ask("GET", adapter.resolve("/v1/stale"), headers, null)
        .body()
        .objects("machines");
  }
}
