// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The functions that a C header declares. */
final class Prototypes {
  private final String header;
  private final Pattern pattern;

  /** Those that return a type. */
  Prototypes(String header, String result) {
    this.header = header;
    this.pattern = Pattern.compile(result + "\\s+(\\w+)\\s*\\(((?:[^();]|\\([^()]*\\))*)\\)\\s*;");
  }

  /** Width of each parameter of each function that is declared. */
  Map<String, List<Integer>> widths(List<String> options) throws IOException, InterruptedException {
    String include = "#include <" + header + ">\n";
    Map<String, String> prototypes = new TreeMap<>();
    Matcher found = pattern.matcher(Gcc.preprocess(include, options));
    while (found.find()) {
      prototypes.put(found.group(1), found.group(2));
    }
    StringBuilder program = new StringBuilder("#include <stdio.h>\n").append(include);
    program.append("int main(void) {\n");
    prototypes.forEach((name, parameters) -> program.append(line(name, parameters)));
    program.append("return 0;\n}\n");
    return Gcc.run(program.toString(), options)
        .lines()
        .map(line -> line.split(" "))
        .collect(Collectors.toMap(words -> words[0], Prototypes::numbers));
  }

  private static List<Integer> numbers(String[] words) {
    return Arrays.stream(words).skip(1).map(Integer::valueOf).toList();
  }

  /** A statement that writes a function's name and the widths. */
  private static String line(String name, String parameters) {
    StringBuilder line = new StringBuilder("printf(\"" + name + "\"); ");
    for (String type : types(parameters)) {
      line.append("printf(\" %d\", (int)sizeof(").append(type).append(")); ");
    }
    return line.append("puts(\"\");\n").toString();
  }

  private static List<String> types(String parameters) {
    List<String> types = new ArrayList<>();
    int depth = 0;
    StringBuilder one = new StringBuilder();
    for (char c : (parameters + ",").toCharArray()) {
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      if (c == ',' && depth == 0) {
        type(one.toString().strip()).ifPresent(types::add);
        one.setLength(0);
      } else {
        one.append(c);
      }
    }
    return types;
  }

  /** A parameter without its name. */
  private static Optional<String> type(String parameter) {
    if (parameter.isEmpty() || parameter.equals("void")) {
      return Optional.empty();
    }
    boolean pointer = parameter.contains("(") || parameter.endsWith("]");
    return Optional.of(pointer ? "void *" : parameter.replaceAll("\\w+$", "").strip());
  }
}
