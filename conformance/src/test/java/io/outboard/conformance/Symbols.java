// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The external symbols of object files, as {@code nm} tells them. */
final class Symbols {
  private static final Pattern LINE = Pattern.compile("(.+?):[0-9a-f ]* ([A-Za-z]) (\\S+)");

  /** An object file that names a symbol which another one defines. */
  record Use(Path user, String symbol, Path owner) {}

  private record Undefined(Path object, String symbol) {}

  private final Map<String, Path> owners = new HashMap<>();
  private final List<Undefined> undefined = new ArrayList<>();

  private Symbols() {}

  /** Reads the objects; an error if {@code nm} cannot, for one that is not there too. */
  static Symbols of(List<Path> objects) throws IOException, InterruptedException {
    List<String> command =
        Stream.concat(Stream.of("nm", "-A", "-g"), objects.stream().map(Path::toString)).toList();
    Process nm = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(nm.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (nm.waitFor() != 0) {
      throw new IOException("nm cannot read the frontend's objects, build it first: " + output);
    }
    Symbols symbols = new Symbols();
    output.lines().map(LINE::matcher).filter(Matcher::matches).forEach(symbols::add);
    return symbols;
  }

  private void add(Matcher line) {
    Path object = Path.of(line.group(1));
    if (line.group(2).equals("U")) {
      undefined.add(new Undefined(object, line.group(3)));
    } else {
      owners.put(line.group(3), object);
    }
  }

  /** The uses of symbols that one of these objects defines. */
  List<Use> uses() {
    return undefined.stream()
        .filter(use -> owners.containsKey(use.symbol()))
        .map(use -> new Use(use.object(), use.symbol(), owners.get(use.symbol())))
        .toList();
  }
}
