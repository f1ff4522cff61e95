// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What programs of {@code conformance/c/sequences} are answered, by their seeds. */
final class Sequences {
  private static final Pattern LINE = Pattern.compile("(\\d+):(.*)");
  private static final Pattern CALL = Pattern.compile(" +\\d+ \\d+ (\\w+) (\\S+)(?: = (\\w+))?");
  private static final String MEMORY = " = ";

  private Sequences() {}

  /**
   * A program.
   *
   * @param calls the names of its calls; empty where they are not told
   * @param answers what each call answered
   * @param memory the sum of what was in memory afterwards
   */
  record Program(List<String> calls, List<String> answers, String memory) {
    /**
     * The first call that another driver answers in another way: its name, that driver's answer and
     * the one here; null if there is none. What comes behind it follows from it.
     */
    String difference(Program driver) {
      for (int i = 0; i < answers.size(); i++) {
        String there = i < driver.answers.size() ? driver.answers.get(i) : "nothing";
        if (!there.equals(answers.get(i))) {
          return calls.get(i) + " " + there + " " + answers.get(i);
        }
      }
      return memory.equals(driver.memory) ? null : "memory";
    }
  }

  /** Programs of a line each; those that a driver did not survive are left out. */
  static SortedMap<Integer, Program> record(Collection<String> lines) {
    SortedMap<Integer, Program> programs = new TreeMap<>();
    for (String line : lines) {
      Matcher matcher = LINE.matcher(line);
      if (matcher.matches() && line.contains(MEMORY)) {
        String[] parts = matcher.group(2).strip().split(MEMORY, -1);
        List<String> answers = List.of(parts[0].split(" ", -1));
        programs.put(
            Integer.valueOf(matcher.group(1)), new Program(List.of(), answers, parts[1].strip()));
      }
    }
    return programs;
  }

  /** Programs of a line a call, as {@code --names} writes them. */
  static SortedMap<Integer, Program> named(Collection<String> lines) {
    SortedMap<Integer, Program> programs = new TreeMap<>();
    Map.Entry<Integer, Program> current = null;
    for (String line : lines) {
      Matcher begin = LINE.matcher(line);
      Matcher call = CALL.matcher(line);
      if (begin.matches()) {
        current = Map.entry(Integer.valueOf(begin.group(1)), fresh(""));
      } else if (current != null && call.matches()) {
        current.getValue().calls().add(call.group(1));
        current.getValue().answers().add(call.group(2));
        if (call.group(3) != null) {
          Program whole = current.getValue();
          programs.put(
              current.getKey(), new Program(whole.calls(), whole.answers(), call.group(3)));
        }
      }
    }
    return programs;
  }

  private static Program fresh(String memory) {
    return new Program(new ArrayList<>(), new ArrayList<>(), memory);
  }
}
