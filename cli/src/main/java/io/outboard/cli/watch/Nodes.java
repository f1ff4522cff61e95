// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.watch;

import io.outboard.api.json.Ordered;
import io.outboard.backend.system.Count;
import io.outboard.cli.command.Answer;
import io.outboard.cli.command.Failure;
import io.outboard.cli.command.Line;
import io.outboard.cli.command.Quantities;
import io.outboard.cli.lease.LeaseCommands;
import io.outboard.cli.lease.LeaseRow;
import io.outboard.lease.Form;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

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

  @Option(
      names = "--cordon",
      paramLabel = "GPU",
      description = {
        "First takes a GPU out for maintenance: who has it keeps it, and nobody else gets it, also",
        "when the backend begins anew. By its number or UUID."
      })
  private String cordoned;

  @Option(
      names = "--from",
      paramLabel = "MOMENT",
      converter = Quantities.Moment.class,
      description = {
        "With --cordon: from then on, as 2026-12-24 or 2026-12-24T18:00:00Z. Until then others have",
        "it, and no longer: nobody gets it, or is renewed, beyond that."
      })
  private Instant from;

  @Option(names = "--reason", paramLabel = "TEXT", description = "With --cordon: why.")
  private String reason = "";

  @Option(
      names = "--uncordon",
      paramLabel = "GPU",
      description = "First has a GPU that was out for maintenance be given to leases again.")
  private String uncordoned;

  @Override
  protected Answer answer() throws Failure {
    if (from != null && cordoned == null) {
      throw new ParameterException(spec().commandLine(), "--from is for --cordon");
    }
    if (cordoned != null) {
      Form wanted = new Form().with("gpu", cordoned).with("reason", reason);
      if (from != null) {
        wanted.with("begin", from.toEpochMilli());
      }
      List<Form> unused = backend().ask("cordon", wanted);
    }
    if (uncordoned != null) {
      List<Form> unused = backend().ask("uncordon", new Form().with("gpu", uncordoned));
    }
    if (readmitted != null) {
      List<Form> unused = backend().ask("readmit", new Form().with("gpu", readmitted));
    }
    Snapshot now = Snapshot.of(backend());
    String name = backend().endpoint();
    return Answer.listing(
        List.of(json(name, now)),
        ROW.formatted("backend", "GPUs", "models", "leased", "waiting", "sessions", "failed"),
        Stream.of(
                lines(List.of(row(name, now)), Line.Kind.ROW),
                lines(hosts(now).stream().map(host -> joined(now, host)).toList(), Line.Kind.ROW),
                lines(failures(now.devices()), Line.Kind.ALARM),
                lines(cordons(now.devices()), Line.Kind.NOTICE),
                lines(closings(now.devices()), Line.Kind.NOTICE))
            .flatMap(lines -> lines));
  }

  private static Stream<Line> lines(List<String> texts, Line.Kind kind) {
    return texts.stream().map(text -> new Line(text, kind));
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
        "models", models(now.devices()),
        "leased", new BigDecimal(leased(now)),
        "waiting", now.waiting(),
        "sessions", now.sessions().size(),
        "failed", now.failed(),
        "failures", failures(now.devices()),
        "cordons", cordons(now.devices()),
        "closings", closings(now.devices()),
        "joined", hosts(now).stream().map(host -> json(now, host)).toList());
  }

  private static String row(String name, Snapshot now) {
    return ROW.formatted(
        name,
        now.devices().size(),
        String.join(", ", models(now.devices())),
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

  /** Which are out for maintenance, why, and whether somebody still has them. */
  static List<String> cordons(List<Form> devices) {
    return devices.stream()
        .filter(device -> !device.get("cordoned").isEmpty())
        .map(Nodes::cordon)
        .toList();
  }

  private static String cordon(Form device) {
    long users = device.number("leases", 0) + device.number("common", 0);
    return "GPU %s (%s) is given to nobody: %s; %s"
        .formatted(
            device.get("number"),
            device.get("uuid"),
            device.get("cordoned"),
            users == 0 ? "nobody has it" : Count.of(users, "user") + " still there");
  }

  /** Which are to be out for maintenance, from when on, and why. */
  static List<String> closings(List<Form> devices) {
    return devices.stream()
        .filter(device -> !device.get("closing").isEmpty())
        .map(
            device ->
                "GPU %s (%s) is given to nobody from %s on: %s"
                    .formatted(
                        device.get("number"),
                        device.get("uuid"),
                        LeaseRow.time(device.number("closing", 0)),
                        device.get("closingWhy")))
        .toList();
  }

  private static List<String> models(List<Form> devices) {
    return devices.stream().map((Form device) -> device.get("model")).distinct().toList();
  }

  /** Those that this backend has joined. */
  private static List<String> hosts(Snapshot now) {
    return now.joined().stream().map(device -> device.get("host")).distinct().toList();
  }

  private static List<Form> of(Snapshot now, String host) {
    return now.joined().stream().filter(device -> device.get("host").equals(host)).toList();
  }

  /** What it gives, only it knows itself. */
  private static String joined(Snapshot now, String host) {
    List<Form> devices = of(now, host);
    return ROW.formatted(
        "joined " + host, devices.size(), String.join(", ", models(devices)), "-", "-", "-", "-");
  }

  private static Map<String, Object> json(Snapshot now, String host) {
    List<Form> devices = of(now, host);
    return Ordered.of("backend", host, "gpus", devices.size(), "models", models(devices));
  }
}
