// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.container;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The words behind an engine's verb: the options that come first, and the rest.
 *
 * @param options the options
 * @param rest the words behind them, without the {@code --} between
 */
record EngineWords(List<EngineOption> options, List<String> rest) {
  private static final String END = "--";

  /**
   * Takes them apart.
   *
   * @throws IllegalArgumentException if the value of the last is missing
   */
  static EngineWords parse(Engine engine, List<String> words) {
    List<EngineOption> options = new ArrayList<>();
    int at = 0;
    while (at < words.size() && words.get(at).startsWith("-") && !words.get(at).equals(END)) {
      EngineOption option = option(engine, words.subList(at, words.size()));
      options.add(option);
      at += option.words().size();
    }
    if (at < words.size() && words.get(at).equals(END)) {
      at++;
    }
    return new EngineWords(List.copyOf(options), List.copyOf(words.subList(at, words.size())));
  }

  private static EngineOption option(Engine engine, List<String> words) {
    String word = words.getFirst();
    if (engine.takesNext(word)) {
      if (words.size() == 1) {
        throw new IllegalArgumentException("'%s' wants a value".formatted(word));
      }
      String name = word.startsWith("--") ? word : "-" + word.substring(word.length() - 1);
      return new EngineOption(name, words.get(1), List.copyOf(words.subList(0, 2)));
    }
    int value = engine.valueWithin(word);
    return new EngineOption(Engine.nameBefore(word, value), word.substring(value), List.of(word));
  }

  /** The words of the options that have none of these names. */
  List<String> without(Set<String> names) {
    return options.stream()
        .filter(option -> !names.contains(option.name()))
        .map(EngineOption::words)
        .flatMap(List::stream)
        .toList();
  }

  /** The value of the last option of one of these names. */
  Optional<String> value(String... names) {
    Set<String> wanted = Set.of(names);
    return options.stream()
        .filter(option -> wanted.contains(option.name()))
        .map(EngineOption::value)
        .reduce((_, last) -> last);
  }
}
