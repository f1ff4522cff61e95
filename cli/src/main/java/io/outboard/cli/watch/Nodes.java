// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.watch;

import io.outboard.api.json.Ordered;
import io.outboard.cli.command.Answer;
import io.outboard.cli.command.Failure;
import io.outboard.cli.lease.LeaseCommands;
import io.outboard.pool.lease.Form;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code outboard nodes}. */
@Command(
    name = "nodes",
    description =
        "Prints the nodes that can be asked, which is the backend: what it has and gives.")
public final class Nodes extends LeaseCommands.Asking {
  private static final String ROW = "%-42s %4s %-32s %7s %7s %8s %6s";
  private static final double WHOLE = 1_000;

  @Option(
      names = "--readmit",
      paramLabel = "GPU",
      description = {
        "First has a GPU that failed, and works again, be given to leases again: its number or",
        "UUID."
      })
  private String readmitted;

  @Override
  protected Answer answer() throws Failure {
    if (readmitted != null) {
      List<Form> unused = backend().ask("readmit", new Form().with("gpu", readmitted));
    }
    Snapshot now = Snapshot.of(backend());
    String name = backend().endpoint();
    Stream<String> row = Stream.of(row(name, now));
    return Answer.table(
        List.of(json(name, now)),
        ROW.formatted("backend", "GPUs", "models", "leased", "waiting", "sessions", "failed"),
        Stream.concat(row, failures(now.devices()).stream()));
  }

  /** In whole GPUs. */
  private static String leased(Snapshot now) {
    long given = now.devices().stream().mapToLong(device -> device.number("share", 0)).sum();
    return "%.2f".formatted(given / WHOLE);
  }

  private static Map<String, Object> json(String name, Snapshot now) {
    return Ordered.of(
        "backend", name,
        "gpus", now.devices().size(),
        "models", models(now),
        "leased", new BigDecimal(leased(now)),
        "waiting", now.waiting(),
        "sessions", now.sessions().size(),
        "failed", now.failed(),
        "failures", failures(now.devices()));
  }

  private static String row(String name, Snapshot now) {
    return ROW.formatted(
        name,
        now.devices().size(),
        String.join(", ", models(now)),
        leased(now),
        now.waiting(),
        now.sessions().size(),
        now.failed());
  }

  /** Which are given to nobody, and why. */
  static List<String> failures(List<Form> devices) {
    return devices.stream()
        .filter(device -> !device.get("failed").isEmpty())
        .map(
            device ->
                "GPU %s (%s): %s"
                    .formatted(device.get("number"), device.get("uuid"), device.get("failed")))
        .toList();
  }

  private static List<String> models(Snapshot now) {
    return now.devices().stream().map((Form device) -> device.get("model")).distinct().toList();
  }
}
