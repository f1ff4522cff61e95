// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.node;

import io.outboard.lease.Form;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A program that uses a lease, as its node tells of it.
 *
 * @param client the program, with its process
 * @param functions those that it called most, each with its count behind it; spaces divide them
 * @param figures what is known of {@link #FIGURES}, as rows of sessions name it
 */
public record NodeProgram(String client, String functions, Map<String, Long> figures) {
  /** Counts, seconds and moments in milliseconds since 1970. */
  public static final Map<String, String> FIGURES = figureNames();

  /** Copies the figures. */
  public NodeProgram {
    figures = Map.copyOf(figures);
  }

  private static Map<String, String> figureNames() {
    Map<String, String> names = new LinkedHashMap<>();
    names.put("calls", "that it has made");
    names.put("bytesIn", "that came from it");
    names.put("bytesOut", "that went to it");
    names.put("idleSeconds", "for how long it has made no call");
    names.put("timedCalls", "of its calls, those that were measured");
    names.put("timedNanos", "nanoseconds that these took together");
    names.put("awaySince", "when its connection was lost, in milliseconds since 1970; or 0");
    names.put("awayUntil", "when it ends if it has not come back; or 0");
    return Collections.unmodifiableMap(names);
  }

  /** That of a row of sessions. */
  public static NodeProgram of(Form row) {
    Map<String, Long> figures = new LinkedHashMap<>();
    FIGURES.keySet().forEach(figure -> figures.put(figure, row.number(figure, 0)));
    return new NodeProgram(row.get("client"), row.get("functions"), figures);
  }

  /** As a row of sessions. */
  public Form row() {
    Form row = new Form().with("client", client).with("functions", functions);
    figures.forEach(row::with);
    return row;
  }
}
