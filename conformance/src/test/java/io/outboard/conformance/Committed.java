// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file of the repository that is generated: compared with what it should be, or written anew. */
final class Committed {
  /** Set to write such files instead of comparing them. */
  static final String UPDATE = "outboard.conformance.update";

  private Committed() {}

  /** Compares, or writes; {@code text} is what should be in the file. */
  static void check(Path file, String text) throws IOException {
    if (Boolean.getBoolean(UPDATE)) {
      Files.createDirectories(file.getParent());
      Files.writeString(file, text);
    }
    assertEquals(text, Files.readString(file), "run with -D" + UPDATE + "=true");
  }
}
