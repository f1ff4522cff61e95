// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.check;

import io.outboard.codegen.model.Function;
import io.outboard.codegen.model.Library;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.lang.model.element.TypeElement;

/**
 * The committed list of numbers, names and encodings: its entries never change, since an older
 * frontend may be on the other side.
 */
public final class LockFile {
  private static final String COMMENT =
      "# Number, name and encoding of each call: locked for ever. A new encoding takes a new number.";

  private final Path file;
  private final boolean update;
  private final Problems problems;

  /**
   * Creates one.
   *
   * @param update whether to rewrite the file instead of checking it
   */
  public LockFile(Path file, boolean update, Problems problems) {
    this.file = file;
    this.update = update;
    this.problems = problems;
  }

  /**
   * Checks the calls of a library against the file, or writes them to it.
   *
   * @throws IOException if the file cannot be read or written
   */
  public void check(Library library, TypeElement type, LibraryReader reader) throws IOException {
    List<String> lines = library.calls().stream().map(LockFile::line).toList();
    if (update) {
      Files.writeString(file, COMMENT + "\n" + String.join("\n", lines) + "\n");
      return;
    }
    Map<Integer, String> locked = locked();
    for (Function function : library.calls()) {
      String old = locked.remove(function.number());
      if (old == null) {
        problems.error(
            reader.method(function),
            "%s is not in %s yet; compile once with -Aoutboard.lock.update=true to add it",
            function.name(),
            file.getFileName());
      } else if (!old.equals(line(function))) {
        problems.error(
            reader.method(function),
            "call %d is locked as \"%s\" but is now \"%s\"; give the new encoding a new number, or"
                + " if no frontend was ever released with it, compile once with"
                + " -Aoutboard.lock.update=true",
            function.number(),
            old,
            line(function));
      }
    }
    locked.forEach(
        (number, line) ->
            problems.error(
                type,
                "call %d, locked as \"%s\", is gone; keep it (with @Custom, if it is only for older"
                    + " frontends), or if no frontend was ever released with it, compile once with"
                    + " -Aoutboard.lock.update=true",
                number,
                line));
  }

  private static String line(Function function) {
    return function.number() + " " + function.name() + " " + Encoding.of(function);
  }

  private Map<Integer, String> locked() throws IOException {
    Map<Integer, String> locked = new LinkedHashMap<>();
    if (Files.exists(file)) {
      for (String line : Files.readAllLines(file)) {
        if (!line.isBlank() && !line.startsWith("#")) {
          locked.put(Integer.parseInt(line.substring(0, line.indexOf(' '))), line);
        }
      }
    }
    return locked;
  }
}
