// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.monitoring;

import java.util.Map;
import java.util.stream.Collectors;

/** Figures in the text format of Prometheus (exposition formats, 0.0.4). */
final class PrometheusText implements Figures {
  private final StringBuilder out = new StringBuilder();
  private String family = "";

  @Override
  public void family(String name, String kind, String help) {
    family = name;
    out.append("# HELP %s %s\n# TYPE %s %s\n".formatted(name, help, name, kind));
  }

  @Override
  public void sample(Map<String, String> labels, Number value) {
    String list =
        labels.entrySet().stream()
            .map(label -> label.getKey() + "=\"" + escaped(label.getValue()) + "\"")
            .collect(Collectors.joining(",", "{", "}"));
    out.append(family).append(labels.isEmpty() ? "" : list).append(' ').append(value).append('\n');
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
  }

  @Override
  public String toString() {
    return out.toString();
  }
}
