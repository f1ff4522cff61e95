// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.account;

import io.outboard.cli.command.Answer;
import io.outboard.cli.command.Failure;
import io.outboard.cli.command.Output;
import io.outboard.cli.command.Quantities;
import io.outboard.cli.lease.LeaseCommands;
import io.outboard.cli.lease.LeaseRow;
import io.outboard.lease.Form;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** {@code outboard usage}. */
@Command(
    name = "usage",
    description = {
      "Prints the ledger: which lease had which GPU, from when to when.",
      "With the bytes of its programs. A lease has a row for each hour, one when it is suspended or",
      "gets another share, and a last one when it is over."
    })
public final class Usage extends LeaseCommands.Asking {
  /** How rows are written. */
  enum Format {
    table,
    csv,
    json,
    apel
  }

  private static final List<String> COLUMNS =
      List.of(
          "number",
          "lease",
          "tenant",
          "consumer",
          "epoch",
          "gpu",
          "model",
          "share",
          "from",
          "to",
          "seconds",
          "bytesIn",
          "bytesOut",
          "busySeconds",
          "last",
          "consumerType",
          "consumerId",
          "user",
          "fqan",
          "site",
          "mode",
          "energyJoules",
          "arch",
          "vo");
  private static final String ROW = "%-13s %-10s %-18s %-32s %-9s %6s  %-26s %10s %10s %14s %14s";
  private static final double MILLIS = 1_000;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "table",
      description = {
        "One of ${COMPLETION-CANDIDATES}; apel: accelerator records, version 0.1, of leases that",
        "have what these must have. Default: ${DEFAULT-VALUE}"
      })
  private Format format;

  @Mixin private ApelOptions apel;

  @ArgGroup private Begin begin;

  /** Since when rows are wanted, in one of two ways. */
  static final class Begin {
    @Option(
        names = "--last",
        paramLabel = "TIME",
        converter = Quantities.Time.class,
        description = "Only rows that end within this time, as 24h. Default: all.")
    private Duration last;

    @Option(
        names = "--since",
        paramLabel = "WHEN",
        converter = Quantities.Moment.class,
        description = {
          "Only rows that end later: a day or a month of this machine's time, as 2026-11-01 or",
          "2026-11, or a moment, as 2026-11-01T12:00:00Z."
        })
    private Instant since;

    private Instant moment() {
      return since != null ? since : Instant.now().minus(last);
    }
  }

  @Option(
      names = "--by",
      paramLabel = "WHAT",
      split = ",",
      description = {
        "Sums instead of rows, for each ${COMPLETION-CANDIDATES}, or several of them with commas;",
        "GPU hours are as budgets count them: two halves of a GPU for an hour are one."
      })
  private final List<UsageSums.Group> groups = new ArrayList<>();

  @Option(
      names = "--missed",
      description = {
        "In place of these rows, the guaranteed leases that were not granted in time, and why they",
        "waited then."
      })
  private boolean missed;

  @Option(
      names = "--plot",
      paramLabel = "FILE",
      description = {
        "Draws GPU hours over time into FILE, as SVG: a line for each tenant, or model with --by",
        "model. Of the time of --last or --since, by default 30 days."
      })
  private Path plot;

  @Override
  public Integer call() throws Failure {
    if (output().isJson() && format != Format.table && format != Format.json) {
      throw new ParameterException(
          spec().commandLine(), "--json and --format contradict each other");
    }
    if (format != Format.apel && apel.isAsked()) {
      throw new ParameterException(
          spec().commandLine(), "--to, --dirq, --apel-site and --month are for --format apel");
    }
    if (missed && (format == Format.apel || !groups.isEmpty())) {
      throw new ParameterException(spec().commandLine(), "--missed has neither sums nor records");
    }
    if (plot != null) {
      if (missed || format != Format.table) {
        throw new ParameterException(spec().commandLine(), "--plot draws the ledger, and no more");
      }
      UsagePlot.of(groups, begin == null ? null : begin.moment(), spec()).draw(backend(), plot);
      return 0;
    }
    if (format == Format.apel) {
      apel.export(backend(), spec());
      return 0;
    }
    return super.call();
  }

  @Override
  protected Answer answer() throws Failure {
    Form since = new Form().with("since", begin == null ? 0 : begin.moment().toEpochMilli());
    Answer answer =
        missed
            ? MissedRows.table(backend().ask("missed", since))
            : used(backend().ask("usage", since));
    return switch (format) {
      case csv -> Answer.of(answer.json(), csv(columns(), (List<?>) answer.json()));
      case json -> new Answer(answer.json(), Output.text(answer.json()));
      default -> answer;
    };
  }

  private Answer used(List<Form> rows) {
    return groups.isEmpty() ? table(rows) : sums(new UsageSums(groups, rows));
  }

  private static Answer sums(UsageSums sums) {
    return Answer.table(sums.objects(), sums.heading(), sums.rows());
  }

  private List<String> columns() {
    if (missed) {
      return MissedRows.COLUMNS;
    }
    return groups.isEmpty() ? COLUMNS : UsageSums.columns(groups);
  }

  private static Answer table(List<Form> rows) {
    return Answer.table(
        rows.stream().map(Usage::json).toList(),
        ROW.formatted(
            "lease",
            "tenant",
            "consumer",
            "model",
            "arch",
            "share",
            "from",
            "seconds",
            "busy",
            "bytes in",
            "bytes out"),
        rows.stream().map(Usage::row));
  }

  private static String row(Form row) {
    return ROW.formatted(
        row.get("lease"),
        row.get("tenant"),
        row.get("consumer"),
        row.get("model"),
        row.get("arch"),
        value(row, "share"),
        LeaseRow.time(row.number("from", 0)),
        value(row, "seconds"),
        thousandths(row, "busy", "-"),
        row.get("bytesIn"),
        row.get("bytesOut"));
  }

  private static List<String> csv(List<String> columns, List<?> objects) {
    Stream<String> rows = objects.stream().map(object -> record(columns, (Map<?, ?>) object));
    return Stream.concat(Stream.of(String.join(",", columns)), rows).toList();
  }

  private static String record(List<String> columns, Map<?, ?> object) {
    return columns.stream()
        .map(name -> cell(Objects.toString(object.get(name), "")))
        .collect(Collectors.joining(","));
  }

  /** RFC 4180, 2. */
  private static String cell(String text) {
    boolean plain = Stream.of(",", "\"", "\n", "\r").noneMatch(text::contains);
    return plain ? text : "\"" + text.replace("\"", "\"\"") + "\"";
  }

  private static Map<String, Object> json(Form row) {
    Map<String, Object> object = new LinkedHashMap<>();
    COLUMNS.forEach(name -> object.put(name, jsonValue(row, name)));
    return object;
  }

  private static Object jsonValue(Form row, String name) {
    String value = value(row, name);
    return switch (name) {
      case "number", "epoch", "share", "seconds", "bytesIn", "bytesOut" -> new BigDecimal(value);
      case "busySeconds", "energyJoules" -> value.isEmpty() ? null : new BigDecimal(value);
      case "last" -> value.equals("true");
      default -> value;
    };
  }

  /** Converts a figure in thousandths of its unit, if it was measured. */
  private static String thousandths(Form row, String name, String notMeasured) {
    return row.get(name).isEmpty() ? notMeasured : Double.toString(row.number(name, 0) / MILLIS);
  }

  private static String value(Form row, String name) {
    return switch (name) {
      case "share" -> Quantities.share(row.number("share", 0));
      case "from", "to" -> LeaseRow.utc(row.number(name, 0));
      case "seconds" -> Double.toString((row.number("to", 0) - row.number("from", 0)) / MILLIS);
      case "busySeconds" -> thousandths(row, "busy", "");
      case "energyJoules" -> thousandths(row, "energy", "");
      default -> row.get(name);
    };
  }
}
