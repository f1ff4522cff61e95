// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.module;

import io.outboard.ptx.PtxKernel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The message for a kernel that needs what the software GPU lacks: each thing, with its lines. */
final class KernelRefusal {
  /** Most different things that are listed. */
  private static final int MOST_THINGS = 50;

  /** Most lines of the text that are listed of each. */
  private static final int MOST_LINES = 10;

  private KernelRefusal() {}

  static String message(PtxKernel kernel, String target) {
    Map<String, List<Integer>> places = new LinkedHashMap<>();
    kernel
        .missing()
        .forEach(
            missing ->
                places.computeIfAbsent(missing.what(), _ -> new ArrayList<>()).add(missing.line()));
    String list =
        places.entrySet().stream()
            .limit(MOST_THINGS)
            .map(place -> "\n  " + place.getKey() + lines(place.getValue()))
            .collect(Collectors.joining());
    return "kernel '"
        + kernel.name()
        + "' cannot run on the software GPU; of its PTX for "
        + target
        + " this is not implemented:"
        + list
        + more(places.size(), MOST_THINGS, "\n  ");
  }

  private static String lines(List<Integer> lines) {
    if (lines.getFirst() == 0) {
      return "";
    }
    return lines.stream()
            .limit(MOST_LINES)
            .map(String::valueOf)
            .collect(Collectors.joining(", ", lines.size() == 1 ? ", line " : ", lines ", ""))
        + more(lines.size(), MOST_LINES, " ");
  }

  private static String more(int all, int listed, String before) {
    return all > listed ? before + "and " + (all - listed) + " more" : "";
  }
}
