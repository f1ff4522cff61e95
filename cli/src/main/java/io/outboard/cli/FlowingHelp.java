// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi.Text;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Help in which the text of an option is one paragraph with whole words. Picocli would also end a
 * line behind a slash or a colon, and so in the middle of a URI.
 */
final class FlowingHelp extends Help {
  /** Where the texts begin; a longer option has a line of its own. */
  private static final int MARGIN = 29;

  private static final Text NOTHING = Ansi.OFF.text("");

  FlowingHelp(CommandSpec command, ColorScheme scheme) {
    super(command, scheme);
  }

  @Override
  public IOptionRenderer createDefaultOptionRenderer() {
    IOptionRenderer usual = super.createDefaultOptionRenderer();
    return (option, labels, scheme) -> flowing(usual.render(option, labels, scheme));
  }

  @Override
  public IParameterRenderer createDefaultParameterRenderer() {
    IParameterRenderer usual = super.createDefaultParameterRenderer();
    return (parameter, labels, scheme) -> flowing(usual.render(parameter, labels, scheme));
  }

  /** The text of an option or a parameter: the last column of its rows. */
  static String text(Text[][] rows) {
    return Arrays.stream(rows)
        .map(row -> row[row.length - 1].plainString())
        .collect(Collectors.joining(" "));
  }

  private static Text[][] flowing(Text[][] rows) {
    int last = rows[0].length - 1;
    List<Text[]> result = new ArrayList<>();
    for (String line : lines(text(rows), Outboard.WIDTH - MARGIN)) {
      Text[] row = result.isEmpty() ? rows[0].clone() : nothing(last + 1);
      row[last] = Ansi.OFF.text(line);
      result.add(row);
    }
    return result.toArray(Text[][]::new);
  }

  private static Text[] nothing(int columns) {
    return Stream.generate(() -> NOTHING).limit(columns).toArray(Text[]::new);
  }

  /** Lines of at most as many columns, of whole words; one at least. */
  private static List<String> lines(String text, int columns) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.strip().split("\\s+", -1)) {
      if (!line.isEmpty() && line.length() + 1 + word.length() > columns) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    lines.add(line.toString());
    return lines;
  }
}
