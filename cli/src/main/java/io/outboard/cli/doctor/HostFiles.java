// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.doctor;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The files in which a machine says what it is.
 *
 * @param root where {@code proc}, {@code dev} and {@code sys} are
 */
record HostFiles(Path root) {
  boolean has(String file) {
    return Files.exists(root.resolve(file));
  }

  /** Its text; empty where it is not there, or this user may not read it. */
  Optional<String> read(String file) {
    // Files.readString goes by the length, which is 0 in /proc, and so begins with one byte; of a
    // number in /proc/sys a second read gets nothing.
    try (InputStream in = Files.newInputStream(root.resolve(file))) {
      return Optional.of(new String(in.readAllBytes(), UTF_8));
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  Optional<Long> number(String file) {
    return read(file).map(String::strip).filter(text -> text.matches("\\d+")).map(Long::valueOf);
  }

  /** What lies in a folder, by name. */
  List<String> names(String folder, Pattern pattern) {
    try (Stream<Path> files = Files.list(root.resolve(folder))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> pattern.matcher(name).matches())
          .sorted()
          .toList();
    } catch (IOException _) {
      return List.of();
    }
  }
}
