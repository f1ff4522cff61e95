// SPDX-License-Identifier: Apache-2.0
package io.outboard.testrun;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a run does.
 *
 * @param maven the arguments of Maven
 * @param make those of the frontend's makefile, which follows; nothing if Maven is all
 * @param modules those whose tests must be seen
 * @param tests so many the sources name
 * @param kind the name of what earlier runs of the same tests took; nothing for a choice
 */
record Plan(
    List<String> maven,
    Optional<List<String>> make,
    Set<String> modules,
    int tests,
    Optional<String> kind) {
  private static final String TWO_AT_A_TIME = "-T2";

  /** A test that fails hides no other one: the results are counted here. */
  private static final String GO_ON = "-Dmaven.test.failure.ignore=true";

  private static final String NO_PROGRAMS = "-Dtest.c.skip=true";
  private static final String NO_FORMAT = "-Dspotless.check.skip=true";

  /**
   * Makes the plan for what somebody asked for.
   *
   * @throws Usage there is no such test
   */
  static Plan of(Options options, Sources sources) throws Usage, IOException {
    if (options.quick()) {
      return some(Quick.read().find(sources), List.of("verify"), Optional.of("quick"));
    }
    if (options.names().isEmpty()) {
      return whole(options.lengthy(), sources);
    }
    Set<Wanted> wanted = new LinkedHashSet<>();
    Names names = new Names(sources);
    for (String name : options.names()) {
      wanted.addAll(names.find(name));
    }
    List<String> goals = new ArrayList<>(List.of("package", NO_FORMAT));
    if (options.lengthy() || wanted.stream().anyMatch(Wanted::lengthy)) {
      goals.add("-Dlong");
    }
    return some(wanted, goals, Optional.empty());
  }

  private static Plan whole(boolean lengthy, Sources sources) {
    List<String> maven = new ArrayList<>(List.of(TWO_AT_A_TIME, "verify", GO_ON));
    if (lengthy) {
      maven.add("-Dlong");
    }
    Set<Wanted> all =
        Stream.concat(
                sources.classes().stream()
                    .filter(type -> lengthy || type.isUsual())
                    .map(Wanted::whole),
                sources.programs().stream().map(Wanted::program))
            .collect(Collectors.toSet());
    Optional<String> kind = Optional.of(lengthy ? "long" : "whole");
    return new Plan(maven, Optional.empty(), modules(all), tests(all), kind);
  }

  private static Set<String> modules(Set<Wanted> wanted) {
    return wanted.stream().map(Wanted::module).collect(Collectors.toCollection(TreeSet::new));
  }

  private static int tests(Set<Wanted> wanted) {
    return wanted.stream().mapToInt(Wanted::tests).sum();
  }

  private static Plan some(Set<Wanted> wanted, List<String> goals, Optional<String> kind) {
    Set<String> modules = modules(wanted);
    List<Wanted> classes = wanted.stream().filter(one -> !one.isProgram()).toList();
    List<String> maven = new ArrayList<>(goals);
    maven.addAll(List.of(TWO_AT_A_TIME, GO_ON, NO_PROGRAMS, "-Dchosen"));
    maven.addAll(List.of("-pl", String.join(",", modules), "-am"));
    if (!classes.isEmpty()) {
      maven.add("-Dsurefire.failIfNoSpecifiedTests=false");
      maven.add("-Dtest=" + classes.stream().map(Wanted::pattern).collect(Collectors.joining(",")));
    }
    return new Plan(maven, programs(wanted), modules, tests(wanted), kind);
  }

  private static Optional<List<String>> programs(Set<Wanted> wanted) {
    String names =
        wanted.stream()
            .filter(Wanted::isProgram)
            .map(Wanted::name)
            .collect(Collectors.joining(" "));
    return names.isEmpty() ? Optional.empty() : Optional.of(List.of("test", "ONLY=" + names));
  }
}
