// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.check;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** The numbers by which tools are told of functions: lines {@code symbol number}, with a tab. */
public final class CallbacksFile {
  private CallbacksFile() {}

  /**
   * Reads the file.
   *
   * @throws IOException if it cannot be read or a line is not of that form
   */
  public static Map<String, Integer> read(Path file) throws IOException {
    Map<String, Integer> numbers = new HashMap<>();
    for (String line : Files.readAllLines(file)) {
      if (!line.isBlank() && !line.startsWith("#")) {
        String[] fields = line.split("\t", -1);
        if (fields.length != 2 || !fields[1].matches("\\d{1,4}")) {
          throw new IOException(file + ": not \"symbol number\" with a tab: " + line);
        }
        numbers.put(fields[0], Integer.valueOf(fields[1]));
      }
    }
    return Map.copyOf(numbers);
  }
}
