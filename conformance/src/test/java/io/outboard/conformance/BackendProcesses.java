// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The processes of an embedded backend: the daemon, which leads a session, and the workers. */
final class BackendProcesses {
  // proc(5): the command, in parentheses; state, parent, group, session. Z is one that has ended.
  private static final Pattern SESSION = Pattern.compile(".*\\) [^Z] \\d+ \\d+ (\\d+) .*");

  private final String session;

  private BackendProcesses(String session) {
    this.session = session;
  }

  /** Those of the backend that listens in a folder. */
  static BackendProcesses inFolder(Path folder) {
    Path daemon =
        processes()
            .filter(process -> command(process).contains(" " + folder + " "))
            .findFirst()
            .orElseThrow(() -> new AssertionError("no backend listens in " + folder));
    return new BackendProcesses(daemon.getFileName().toString());
  }

  /** How many there are now. */
  long count() {
    return members().count();
  }

  @Override
  public String toString() {
    return members().map(BackendProcesses::command).toList().toString();
  }

  private Stream<Path> members() {
    return processes().filter(process -> session.equals(sessionOf(process)));
  }

  private static Stream<Path> processes() {
    try (Stream<Path> files = Files.list(Path.of("/proc"))) {
      return files.filter(file -> file.getFileName().toString().matches("\\d+")).toList().stream();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static String sessionOf(Path process) {
    Matcher matcher = SESSION.matcher(read(process.resolve("stat")));
    return matcher.matches() ? matcher.group(1) : "";
  }

  private static String command(Path process) {
    return read(process.resolve("cmdline")).replace('\0', ' ');
  }

  /** Empty if the process is gone. */
  private static String read(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException _) {
      return "";
    }
  }
}
