// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.account;

import io.outboard.api.json.Ordered;
import io.outboard.cli.command.Answer;
import io.outboard.cli.lease.LeaseRow;
import io.outboard.lease.Form;
import java.util.List;
import java.util.Map;

/** Guaranteed leases that were not granted in time. */
final class MissedRows {
  static final List<String> COLUMNS =
      List.of("number", "lease", "tenant", "consumer", "due", "cause");

  private static final String ROW = "%-13s %-10s %-18s %-27s %s";

  private MissedRows() {}

  static Answer table(List<Form> rows) {
    return Answer.table(
        rows.stream().map(MissedRows::json).toList(),
        ROW.formatted("lease", "tenant", "consumer", "due", "cause"),
        rows.stream().map(MissedRows::row));
  }

  private static String row(Form row) {
    return ROW.formatted(
        row.get("lease"),
        row.get("tenant"),
        row.get("consumer"),
        LeaseRow.time(row.number("due", 0)),
        row.get("cause"));
  }

  private static Map<String, Object> json(Form row) {
    return Ordered.of(
        "number",
        row.number("number", 0),
        "lease",
        row.get("lease"),
        "tenant",
        row.get("tenant"),
        "consumer",
        row.get("consumer"),
        "due",
        LeaseRow.utc(row.number("due", 0)),
        "cause",
        row.get("cause"));
  }
}
