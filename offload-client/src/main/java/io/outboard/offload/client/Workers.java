// SPDX-License-Identifier: Apache-2.0
package io.outboard.offload.client;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;

/**
 * The workers that {@code outboard offload workers} has got for a program. A file names them, a
 * line for each: where it is, a space, and its token.
 */
public final class Workers {
  /** The variable that has the file's name. */
  public static final String VARIABLE = "OUTBOARD_OFFLOAD_WORKERS";

  private Workers() {}

  /**
   * Those of this program.
   *
   * @param code what runs there
   * @return at least one, for a split call; each is its caller's to close
   * @throws IOException if the command has not started this program, or its file cannot be read
   */
  public static List<Offloading> of(Code code) throws IOException {
    String file = System.getenv(VARIABLE);
    if (file == null || file.isEmpty()) {
      throw new FileNotFoundException(
          VARIABLE + " is not set: 'outboard offload workers' starts programs with it");
    }
    return of(Paths.get(file), code);
  }

  /** The same of another file. */
  public static List<Offloading> of(Path file, Code code) throws IOException {
    List<Offloading> workers = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      int end = line.indexOf(' ');
      if (end < 0) {
        throw new IOException(file + ": a line names a place and its token");
      }
      workers.add(
          Offloading.to(line.substring(0, end)).token(line.substring(end + 1)).code(code).build());
    }
    if (workers.isEmpty()) {
      throw new IOException(file + " names no worker");
    }
    return workers;
  }
}
