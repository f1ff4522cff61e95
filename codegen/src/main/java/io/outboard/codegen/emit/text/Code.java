// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.emit.text;

/**
 * Text of a curly-bracket language: blocks are added as they come, and lines are indented by the
 * brackets around them.
 */
public final class Code {
  private final StringBuilder text = new StringBuilder();
  private final String unit;
  private int depth;

  private Code(String unit) {
    this.unit = unit;
  }

  /** C, indented by four. */
  public static Code c() {
    return new Code("    ");
  }

  /** Java, indented by two. */
  public static Code java() {
    return new Code("  ");
  }

  /** Adds a block of lines; {@code arguments} are formatted into it if there are any. */
  @SuppressWarnings("AnnotateFormatMethod") // the annotation would be a dependency
  public Code add(String block, Object... arguments) {
    String formatted = arguments.length == 0 ? block : block.formatted(arguments);
    formatted.lines().map(String::strip).forEach(this::line);
    return this;
  }

  private void line(String line) {
    if (line.isEmpty()) {
      text.append('\n');
      return;
    }
    if (line.startsWith("}")) {
      depth--;
    }
    text.append(line.startsWith("#") ? "" : unit.repeat(depth));
    boolean comment = line.equals("*") || line.startsWith("* ") || line.startsWith("*/");
    text.append(comment ? " " : "").append(line).append('\n');
    if (line.endsWith("{")) {
      depth++;
    }
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
