// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.account;

import io.outboard.api.monitoring.ApelRecords;
import io.outboard.api.monitoring.Spool;
import io.outboard.cli.command.Failure;
import io.outboard.cli.lease.LeaseClient;
import io.outboard.lease.Form;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.time.YearMonth;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** How {@code usage} exports for APEL. */
final class ApelOptions {
  @Option(
      names = "--to",
      paramLabel = "FOLDER",
      description = "With apel: the folder that SSM sends from. Default: standard output.")
  private Path folder;

  @Option(names = "--dirq", description = "With apel: the folder is a directory queue.")
  private boolean queue;

  @Option(
      names = "--apel-site",
      paramLabel = "NAME",
      description = "With apel: the site of leases that do not say theirs.")
  private String site = "";

  @Option(
      names = "--month",
      paramLabel = "YYYY-MM",
      description = "With apel: only this month. Default: this one and the one before.")
  private YearMonth month;

  /** Whether any of these was said. */
  boolean isAsked() {
    return folder != null || queue || !site.isEmpty() || month != null;
  }

  /** Writes the messages. */
  void export(LeaseClient backend, CommandSpec spec) throws Failure {
    List<YearMonth> months =
        month == null ? ApelRecords.usualMonths(Instant.now()) : List.of(month);
    long since = ApelRecords.beginOf(months.getFirst()).toEpochMilli();
    List<Form> rows = backend.ask("usage", new Form().with("since", since));
    ApelRecords records = new ApelRecords(site);
    List<String> messages = records.messages(rows, months);
    write(messages, spec.commandLine().getOut());
    long leftOut = rows.stream().filter(row -> !records.missing(row).isEmpty()).count();
    if (leftOut > 0) {
      PrintWriter errors = spec.commandLine().getErr();
      errors.printf("outboard: %d rows lack what a record must have: see 'doctor'%n", leftOut);
      errors.flush();
    }
  }

  private void write(List<String> messages, PrintWriter out) throws Failure {
    try {
      for (String message : messages) {
        out.println(folder == null ? message : new Spool(folder, queue).add(message).toString());
      }
      out.flush();
    } catch (IOException e) {
      throw new Failure(e);
    }
  }
}
