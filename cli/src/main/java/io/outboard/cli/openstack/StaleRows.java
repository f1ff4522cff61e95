// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.openstack;

import io.outboard.cli.command.Line;
import io.outboard.office.rest.Fields;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Machines that do not use what they hold, for people and for programs.
 *
 * @param price of a GPU for an hour; null where it is not told
 */
record StaleRows(List<Fields> machines, Instant now, BigDecimal price) {
  private static final BigDecimal HOUR = BigDecimal.valueOf(3600);
  private static final int DIGITS = 2;
  private static final String FORM = "%-36s %-16s %-17s %-9s %4s %4s %9s %9s%s";

  /** Those that have been so for longer than a time, or for nobody knows how long. */
  private List<Fields> longerThan(Duration over) {
    return machines.stream().filter(one -> unused(one).compareTo(over) >= 0).toList();
  }

  private Duration unused(Fields machine) {
    String since = machine.text("since");
    return since.isEmpty()
        ? Duration.ofSeconds(Long.MAX_VALUE)
        : Duration.between(Instant.parse(since), now);
  }

  List<Object> json(Duration over) {
    List<Object> rows = new ArrayList<>();
    for (Fields machine : longerThan(over)) {
      Map<Object, Object> row = new LinkedHashMap<>(machine.values());
      if (price != null) {
        row.put("cost", cost(machine));
      }
      rows.add(row);
    }
    return rows;
  }

  List<Line> lines(Duration over) {
    List<Line> lines = new ArrayList<>();
    String cost = price == null ? "" : "      COST";
    lines.add(
        Line.heading(
            FORM.formatted(
                "MACHINE",
                "NAME",
                "STATUS",
                "LEASE",
                "GPUS",
                "HELD",
                "UNUSED",
                "GPU-HOURS",
                cost)));
    longerThan(over).forEach(machine -> lines.add(Line.row(line(machine))));
    return lines;
  }

  private String line(Fields machine) {
    String gpus = Long.toString(machine.count("gpus"));
    return FORM.formatted(
        machine.text("machine"),
        machine.text("name"),
        machine.text("status"),
        machine.text("state"),
        gpus,
        machine.flag("occupies") ? gpus : "0",
        machine.text("since").isEmpty() ? "?" : time(unused(machine)),
        hours(machine),
        price == null ? "" : " %9s".formatted(cost(machine)));
  }

  private static String time(Duration time) {
    return "%d:%02d:%02d"
        .formatted(time.toHours(), time.toMinutesPart(), Math.max(0, time.toSecondsPart()));
  }

  private static BigDecimal hours(Fields machine) {
    return BigDecimal.valueOf(machine.count("wasted")).divide(HOUR, DIGITS, RoundingMode.HALF_UP);
  }

  private BigDecimal cost(Fields machine) {
    return BigDecimal.valueOf(machine.count("wasted"))
        .multiply(price)
        .divide(HOUR, DIGITS, RoundingMode.HALF_UP);
  }
}
