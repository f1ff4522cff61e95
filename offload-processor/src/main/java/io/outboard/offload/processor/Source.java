// SPDX-License-Identifier: Apache-2.0
package io.outboard.offload.processor;

/** A source file that grows. */
final class Source {
  private final StringBuilder text = new StringBuilder();
  private int depth;

  Source(Described of) {
    line("// Generated of %s. SPDX-License-Identifier: Apache-2.0".formatted(of.source()));
    if (!of.folder().isEmpty()) {
      line("package %s;".formatted(of.folder()));
    }
    line("import io.outboard.offload.*;");
    line("import io.outboard.offload.call.*;");
    line("import io.outboard.offload.service.*;");
    line("import io.outboard.offload.value.*;");
    line("import java.util.*;");
  }

  /** Adds a line; those between braces are farther in. */
  Source line(String line) {
    depth -= line.startsWith("}") ? 1 : 0;
    text.append("  ".repeat(depth)).append(line).append('\n');
    depth += line.endsWith("{") ? 1 : 0;
    return this;
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
