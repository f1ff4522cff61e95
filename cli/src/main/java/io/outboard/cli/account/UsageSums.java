// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.account;

import io.outboard.cli.command.Quantities;
import io.outboard.lease.Form;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Sums of the ledger's rows by what they have in common. */
final class UsageSums {
  /** What rows have in common. */
  enum Group {
    tenant,
    /** The user's global name; else the user who asked for the lease. */
    user,
    /** In which they end, in UTC as in APEL's records; a row is of an hour at most. */
    month,
    model,
    lease;

    private String of(Form row) {
      return switch (this) {
        case tenant -> row.get("tenant");
        case user -> user(row);
        case month ->
            YearMonth.from(Instant.ofEpochMilli(row.number("to", 0)).atOffset(ZoneOffset.UTC))
                .toString();
        case model -> row.get("model");
        case lease -> row.get("lease");
      };
    }

    /** Programs without a lease are consumers by their numbers, which are nobody's names. */
    private static String user(Form row) {
      return Stream.of(row.get("user"), row.get("consumer"))
          .filter(name -> !name.isEmpty() && !name.startsWith("process "))
          .findFirst()
          .orElse("-");
    }
  }

  private static final List<String> FIGURES =
      List.of("leases", "GPU hours", "busy hours", "energy Wh", "bytes in", "bytes out");
  private static final int GROUP_WIDTH = 20;
  private static final int FIGURE_WIDTH = 11;
  private static final double HOUR = 3_600_000;

  /** In millijoules. */
  private static final double WATT_HOUR = 3_600_000;

  private static final int WHOLE = 1_000;

  private final List<Group> groups;
  private final Map<String, Sum> sums = new TreeMap<>();

  /** The rows of a group. */
  private static final class Sum {
    private final List<String> names;
    private final Set<String> leases = new HashSet<>();
    private long shareMillis;
    private long busyMillis;
    private long energyMillijoules;
    private boolean measured;
    private long bytesIn;
    private long bytesOut;

    private Sum(List<String> names) {
      this.names = names;
    }

    private void add(Form row) {
      leases.add(row.get("lease"));
      shareMillis += (row.number("to", 0) - row.number("from", 0)) * row.number("share", 0);
      busyMillis += row.number("busy", 0);
      energyMillijoules += row.number("energy", 0);
      measured |= !row.get("energy").isEmpty();
      bytesIn += row.number("bytesIn", 0);
      bytesOut += row.number("bytesOut", 0);
    }
  }

  /** Adds all rows up. */
  UsageSums(List<Group> groups, List<Form> rows) {
    this.groups = groups;
    for (Form row : rows) {
      List<String> names = groups.stream().map(group -> group.of(row)).toList();
      sums.computeIfAbsent(String.join("\0", names), _ -> new Sum(names)).add(row);
    }
  }

  /**
   * Objects of JSON: the time that counts is the GPUs' by their shares, as in budgets. Energy is
   * null where no row has any.
   */
  List<Map<String, Object>> objects() {
    return sums.values().stream().map(this::object).toList();
  }

  private Map<String, Object> object(Sum sum) {
    Map<String, Object> object = new LinkedHashMap<>();
    for (int i = 0; i < groups.size(); i++) {
      object.put(groups.get(i).name(), sum.names.get(i));
    }
    object.put("leases", sum.leases.size());
    object.put("gpuSeconds", seconds(sum.shareMillis / WHOLE));
    object.put("busySeconds", seconds(sum.busyMillis));
    object.put("energyJoules", sum.measured ? seconds(sum.energyMillijoules) : null);
    object.put("bytesIn", sum.bytesIn);
    object.put("bytesOut", sum.bytesOut);
    return object;
  }

  private static BigDecimal seconds(long thousandths) {
    return BigDecimal.valueOf(thousandths, 3);
  }

  /** The names of what the objects have. */
  static List<String> columns(List<Group> groups) {
    return List.copyOf(new UsageSums(groups, List.of()).object(new Sum(noNames(groups))).keySet());
  }

  private static List<String> noNames(List<Group> groups) {
    return groups.stream().map(_ -> "").toList();
  }

  String heading() {
    return line(groups.stream().map(Group::name).toList(), FIGURES);
  }

  /** Rows of a table. */
  Stream<String> rows() {
    return sums.values().stream().map(sum -> line(sum.names, figures(sum)));
  }

  private static List<String> figures(Sum sum) {
    return List.of(
        Integer.toString(sum.leases.size()),
        "%.2f".formatted(sum.shareMillis / (WHOLE * HOUR)),
        "%.2f".formatted(sum.busyMillis / HOUR),
        sum.measured ? "%.2f".formatted(sum.energyMillijoules / WATT_HOUR) : "-",
        Quantities.size(sum.bytesIn),
        Quantities.size(sum.bytesOut));
  }

  private static String line(List<String> names, List<String> figures) {
    List<String> cells = new ArrayList<>();
    names.forEach(name -> cells.add(("%-" + GROUP_WIDTH + "s").formatted(name)));
    figures.forEach(figure -> cells.add(("%" + FIGURE_WIDTH + "s").formatted(figure)));
    return String.join(" ", cells);
  }
}
