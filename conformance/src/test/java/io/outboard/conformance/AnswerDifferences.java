// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Where the answers of a driver and those through Outboard differ. A line is a state, a function,
 * the driver's answer and ours, and all parameters with their classes to which that applies.
 */
final class AnswerDifferences {
  /** Ours of a case whose answer is not the same in each run. */
  static final String VARIES = "varies";

  private static final String ALL_VALID = "-";

  /**
   * Why answers differ. The first that applies is the reason of a case.
   *
   * @see #of
   */
  enum Kind {
    CRASH("ours crashes, or does not return, where the driver answers"),
    NOT_STEADY("ours depends on what was called before, or on the communicator"),
    REFUSED("ours refuses with 801 what it does not serve; the driver's answer is another one"),
    NO_SUCH_DEVICE("the driver says 801; the software GPU has what the H100 has not"),
    AT_THE_END("lenient on purpose: ours serves a program's last functions, the driver says 4"),
    UNINITIALISED("another answer before `cuInit`"),
    NO_CONTEXT("another answer without a context, or in another one"),
    OLDER_FORM("lenient on purpose: an older form in a context of the newer ones is 201 there"),
    IN_CAPTURE("a capture prohibits another set of calls"),
    IN_CALLBACK("another answer in a function that a stream calls"),
    IN_CHILD("another answer in a forked child"),
    AFTER_FAULT("another answer after a fault"),
    ACCEPTED("ours succeeds where the driver refuses"),
    TOO_STRICT("ours refuses where the driver succeeds"),
    NEXT_ANSWER("the same answer, another one to the innocent call after it"),
    OTHER_CODE("another code");

    private final String reason;

    Kind(String reason) {
      this.reason = reason;
    }

    String reason() {
      return reason;
    }

    /** Of calls of a program, by their results. */
    static Kind ofCalls(String driver, String ours) {
      return of("normal", driver, ours);
    }

    static Kind of(String state, String driver, String ours) {
      if (ours.startsWith(Answers.UNDEFINED)) {
        return CRASH;
      }
      if (ours.equals(VARIES)) {
        return NOT_STEADY;
      }
      if (result(ours).equals("801")) {
        return REFUSED;
      }
      if (result(driver).equals("801")) {
        return NO_SUCH_DEVICE;
      }
      if (result(driver).equals("201") && !state.equals("no-context")) {
        return OLDER_FORM;
      }
      return ofState(state, result(driver), result(ours));
    }

    private static Kind ofState(String state, String driver, String ours) {
      return switch (state) {
        case "destructor" -> AT_THE_END;
        case "uninitialised" -> UNINITIALISED;
        case "no-context", "other-context" -> NO_CONTEXT;
        case "callback" -> IN_CALLBACK;
        case "forked-child" -> IN_CHILD;
        case "after-fault" -> AFTER_FAULT;
        case "normal", "per-thread" -> ofResults(driver, ours);
        default -> IN_CAPTURE;
      };
    }

    private static Kind ofResults(String driver, String ours) {
      if (driver.equals(ours)) {
        return NEXT_ANSWER;
      }
      if (ours.equals("0")) {
        return ACCEPTED;
      }
      return driver.equals("0") ? TOO_STRICT : OTHER_CODE;
    }

    private static String result(String answer) {
      return answer.replaceFirst(",.*", "");
    }
  }

  /** Of each case that differs the driver's answer and ours, with a space between. */
  private final SortedMap<String, String> cases = new TreeMap<>();

  /** Those that a file lists. */
  static AnswerDifferences read(List<String> lines) {
    AnswerDifferences differences = new AnswerDifferences();
    lines.stream().filter(line -> !line.startsWith("#")).forEach(differences::take);
    return differences;
  }

  private void take(String line) {
    String[] words = line.split(" ", -1);
    for (int i = 4; i < words.length; i++) {
      String parameter = words[i].equals(ALL_VALID) ? "" : " " + words[i];
      cases.put(words[0] + " " + words[1] + parameter, words[2] + " " + words[3]);
    }
  }

  /** Those between a record and what was seen of its cases. */
  static AnswerDifferences between(Map<String, String> driver, Map<String, String> ours) {
    AnswerDifferences differences = new AnswerDifferences();
    ours.forEach(
        (name, answer) -> {
          String recorded = driver.get(name);
          if (recorded != null
              && !recorded.startsWith(Answers.UNDEFINED)
              && !recorded.equals(answer)) {
            differences.cases.put(name, recorded + " " + word(answer));
          }
        });
    return differences;
  }

  private static String word(String answer) {
    return answer.replaceFirst(" .*", "");
  }

  /** Marks those as not steady that another run did not see alike. */
  void compareRuns(Map<String, String> one, Map<String, String> other, Map<String, String> driver) {
    other.forEach(
        (name, answer) -> {
          String recorded = driver.getOrDefault(name, Answers.UNDEFINED);
          if (!answer.equals(one.get(name)) && !recorded.startsWith(Answers.UNDEFINED)) {
            cases.put(name, recorded + " " + VARIES);
          }
        });
  }

  /**
   * What is new among cases that were run, and what is gone if that is wanted, a line each; none if
   * all is as listed.
   */
  List<String> against(AnswerDifferences listed, Map<String, String> run, boolean gone) {
    List<String> lines = new ArrayList<>();
    for (String name : run.keySet()) {
      String was = listed.cases.getOrDefault(name, "equal");
      String is = cases.getOrDefault(name, "equal");
      if (!was.equals(is) && !was.endsWith(VARIES) && (gone || cases.containsKey(name))) {
        lines.add("%s: listed as %s, now %s".formatted(name, was, is));
      }
    }
    return lines;
  }

  /** How many there are. */
  int count() {
    return cases.size();
  }

  /** The text that {@link #read} reads. */
  String text() {
    SortedMap<String, List<String>> lines = new TreeMap<>();
    cases.forEach(
        (name, answers) -> {
          String[] words = name.split(" ", -1);
          String parameter = words.length > 2 ? words[2] : ALL_VALID;
          lines
              .computeIfAbsent(
                  "%s %s %s".formatted(words[0], words[1], answers), _ -> new ArrayList<>())
              .add(parameter);
        });
    return lines.entrySet().stream()
        .map(line -> line.getKey() + " " + String.join(" ", line.getValue()) + "\n")
        .collect(Collectors.joining());
  }

  /** How many of each kind, with their reason and one of them, as rows of a table. */
  String table() {
    Map<Kind, List<String>> kinds = new EnumMap<>(Kind.class);
    cases.forEach(
        (name, answers) -> {
          String[] both = answers.split(" ", -1);
          Kind kind = Kind.of(name.replaceFirst(" .*", ""), both[0], both[1]);
          kinds
              .computeIfAbsent(kind, _ -> new ArrayList<>())
              .add(name + ": " + both[0] + ", " + both[1]);
        });
    return kinds.entrySet().stream()
        .map(
            kind ->
                "| %s | %d | `%s` |%n"
                    .formatted(
                        kind.getKey().reason,
                        kind.getValue().size(),
                        kind.getValue().get(kind.getValue().size() / 2)))
        .collect(Collectors.joining());
  }
}
