// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.suspend;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * State saved from one device and brought back to another of the same model.
 *
 * @param from the device's UUID, as the vendor writes it: {@code GPU-…}
 * @param to that of the other one
 */
public record DeviceMove(String from, String to) {
  private static final String BETWEEN = ",";
  private static final String WITHIN = "=";

  /** Several, as {@link #parse} reads them; no spaces. */
  static String text(List<DeviceMove> moves) {
    return moves.stream()
        .map(move -> move.from + WITHIN + move.to)
        .collect(Collectors.joining(BETWEEN));
  }

  /** Reads several. */
  static List<DeviceMove> parse(String text) {
    return text.isEmpty()
        ? List.of()
        : Arrays.stream(text.split(BETWEEN))
            .map(move -> move.split(WITHIN, 2))
            .map(ends -> new DeviceMove(ends[0], ends[1]))
            .toList();
  }
}
