// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.gpu.table;

import io.outboard.bench.gpu.run.Group;
import io.outboard.bench.gpu.run.Results;
import io.outboard.bench.gpu.run.Run;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All tables of some results, in Markdown. */
public final class Tables {
  private final Results results;

  public Tables(Results results) {
    this.results = results;
  }

  public String render() {
    String tables =
        Stream.of(
                section("Figures", new FigureTable(timed()).render()),
                section("Round trips", new TripTable(results.of(Group.TRIPS)).render()),
                section("Slow links", new ShapedTable(results.of(Group.SHAPED)).render()),
                section("Fidelity", new FidelityTable(results.of(Group.FIDELITY)).render()),
                section("Wrong programs", text("the wrong thing", Group.WRONG)),
                section("Frameworks", text("framework", Group.FRAMEWORKS)),
                section("What failed", failures()))
            .filter(Objects::nonNull)
            .collect(Collectors.joining());
    return results.machine() + "\n\n" + tables;
  }

  private static String section(String title, String body) {
    return body.isEmpty() ? null : "## " + title + "\n\n" + body;
  }

  private List<Run> timed() {
    return Stream.of(Group.values())
        .filter(group -> group.isTimed() && group != Group.SHAPED)
        .flatMap(group -> results.of(group).stream())
        .toList();
  }

  private String text(String title, Group group) {
    return new TextTable(title, results.of(group)).render();
  }

  /** Of what is timed; the other tables say it themselves. */
  private String failures() {
    return Stream.concat(timed().stream(), results.of(Group.SHAPED).stream())
        .filter(run -> run.failure() != null)
        .map(
            run ->
                "* %s, %s, %s: %s%n".formatted(run.group(), run.piece(), run.way(), run.failure()))
        .distinct()
        .collect(Collectors.joining());
  }
}
