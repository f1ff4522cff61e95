// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.account;

import io.outboard.api.usage.Plot;
import io.outboard.api.usage.UsageSteps;
import io.outboard.cli.command.Failure;
import io.outboard.cli.lease.LeaseClient;
import io.outboard.lease.Form;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** GPU hours over time, drawn. */
final class UsagePlot {
  private static final int USUAL_DAYS = 30;
  private static final int MOST_DAYS = 4_000;
  private static final double HOUR_SECONDS = 3_600;

  private final String by;
  private final int days;
  private final Instant now = Instant.now();

  private UsagePlot(String by, int days) {
    this.by = by;
    this.days = days;
  }

  /**
   * Makes one.
   *
   * @param groups none for tenants, or one that is drawn
   * @param since null for the last days
   */
  static UsagePlot of(List<UsageSums.Group> groups, Instant since, CommandSpec spec) {
    UsageSums.Group group = groups.isEmpty() ? UsageSums.Group.tenant : groups.getFirst();
    if (groups.size() > 1 || (group != UsageSums.Group.tenant && group != UsageSums.Group.model)) {
      throw new ParameterException(spec.commandLine(), "--plot draws --by tenant or --by model");
    }
    return new UsagePlot(group.name(), since == null ? USUAL_DAYS : days(since));
  }

  private static int days(Instant since) {
    Duration past = Duration.between(since, Instant.now());
    return Math.clamp(past.plusDays(1).minusNanos(1).toDays(), 1, MOST_DAYS);
  }

  /** Asks, and writes the file. */
  void draw(LeaseClient backend, Path file) throws Failure {
    UsageSteps steps = new UsageSteps(by, days, now);
    Form wanted = new Form().with("since", steps.begin().toEpochMilli());
    backend.ask("usage", wanted).forEach(steps::add);
    try {
      Files.writeString(file, svg(steps));
    } catch (IOException e) {
      throw new Failure(e);
    }
  }

  private String svg(UsageSteps steps) {
    boolean hourly = steps.step().equals(Duration.ofHours(1));
    double unit = hourly ? HOUR_SECONDS : Duration.ofDays(1).toSeconds();
    List<UsageSteps.Line> lines = steps.lines();
    double most =
        lines.stream()
            .flatMap(line -> line.hours().stream())
            .mapToDouble(Double::doubleValue)
            .filter(hours -> hours > 0)
            .max()
            .orElse(1);
    double least = (steps.moments().getFirst() - now.getEpochSecond()) / unit;
    Plot plot =
        new Plot(
            "GPU hours by " + by,
            new Plot.Axis(hourly ? "hours from now" : "days from now", least, 0, false),
            new Plot.Axis("GPU hours each " + (hourly ? "hour" : "day"), 0, most, false));
    for (UsageSteps.Line line : lines) {
      List<Plot.Point> points = new ArrayList<>();
      for (int i = 0; i < line.hours().size(); i++) {
        double x = (steps.moments().get(i) - now.getEpochSecond()) / unit;
        points.add(new Plot.Point(x, line.hours().get(i)));
      }
      plot.line(line.name(), points);
    }
    return plot.svg();
  }
}
