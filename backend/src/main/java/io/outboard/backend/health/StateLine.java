// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.health;

import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Collectors;

/** Figures of a device as words of a line, {@code NAME=NUMBER}; unknown figures are left out. */
final class StateLine {
  private StateLine() {}

  static String of(Map<DeviceFigure, Long> figures) {
    return figures.entrySet().stream()
        .map(one -> one.getKey().label() + "=" + one.getValue())
        .collect(Collectors.joining(" "));
  }

  /**
   * Reads one.
   *
   * @throws IllegalArgumentException if it is none
   */
  static Map<DeviceFigure, Long> parse(String text) {
    Map<DeviceFigure, Long> figures = new EnumMap<>(DeviceFigure.class);
    for (String word : text.split(" ", -1)) {
      int middle = word.indexOf('=');
      figures.put(
          DeviceFigure.of(word.substring(0, Math.max(0, middle))),
          Long.valueOf(word.substring(middle + 1)));
    }
    return figures;
  }
}
