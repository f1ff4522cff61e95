// SPDX-License-Identifier: Apache-2.0
package io.outboard.testrun;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A build, Maven's or make's, whose whole output is in a log. */
final class Build {
  private static final int MOST_ERRORS = 40;

  /** So long the end of its output may take after its own. */
  private static final long REST_MILLIS = 3000;

  private static final Pattern MODULE =
      Pattern.compile("\\[INFO\\] Building Outboard: (.*?) [0-9]\\S* *(\\[[0-9/]*\\])");

  private static final Pattern ERROR =
      Pattern.compile(
          "\\[ERROR\\] .*|.*: (fatal )?error: .*|make(\\[\\d+\\])?: \\*\\*\\* .*|FAILED: .*");

  /** How Maven ends what it says of an error; and what follows of tests is told already. */
  private static final Pattern CHATTER =
      Pattern.compile(
          "\\[ERROR\\] *(-> \\[Help 1\\]|To see the full|Re-run Maven|For more information"
              + "|\\[Help 1\\]|After correcting|  mvn |COMPILATION ERROR|Tests run:).*"
              + "|\\[ERROR\\] *|.* <<< (FAILURE|ERROR)!");

  /** How these sources are formatted, where Spotless says how others are. */
  private static final String FORMAT = "./mvnw -Dformat process-sources";

  private static final String COMPILE_ERROR = "[ERROR] COMPILATION ERROR";
  private static final Pattern END_OF_ERRORS = Pattern.compile("\\[INFO\\] \\d+ errors? *");

  private final Process process;
  private final Thread reader;
  private final Deque<String> errors = new ArrayDeque<>();
  private boolean inErrors;
  private volatile String building = "";
  private volatile boolean isBroken;

  /**
   * Starts it, in a session of its own: the terminal's signals are this process's, which ends it.
   *
   * @param events where tests write what happens
   */
  Build(List<String> command, Path log, Path events) throws IOException {
    List<String> whole = new ArrayList<>(List.of("setsid"));
    whole.addAll(command);
    ProcessBuilder builder =
        new ProcessBuilder(whole).redirectInput(new File("/dev/null")).redirectErrorStream(true);
    builder.environment().put(EventWriter.FILE, events.toString());
    process = builder.start();
    reader = Thread.ofPlatform().daemon().start(() -> read(log));
  }

  private void read(Path log) {
    try (BufferedReader lines = process.inputReader(UTF_8);
        Writer whole =
            Files.newBufferedWriter(
                log, UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        whole.write(line + "\n");
        whole.flush();
        note(line);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void note(String line) {
    Matcher module = MODULE.matcher(line);
    if (module.matches()) {
      building = module.group(1) + " " + module.group(2);
    }
    inErrors |= line.startsWith(COMPILE_ERROR);
    isBroken |= inErrors && END_OF_ERRORS.matcher(line).matches();
    if (ERROR.matcher(line).matches() && !CHATTER.matcher(line).matches()) {
      noteError(line.replaceFirst("^\\[ERROR\\] ", "").replace("mvn spotless:apply", FORMAT));
    }
  }

  /** The last ones are those for which it ended. Maven says some twice. */
  private void noteError(String line) {
    synchronized (errors) {
      if (errors.contains(line)) {
        return;
      }
      if (errors.size() == MOST_ERRORS) {
        errors.removeFirst();
      }
      errors.add(line);
    }
  }

  /** The module that it builds, the last one of two. */
  String building() {
    return building;
  }

  /** Whether it cannot succeed any more, though it still runs. */
  boolean isBroken() {
    return isBroken;
  }

  /** What it has started may hold its output open, and is no part of it. */
  boolean runs() {
    return process.isAlive();
  }

  /** Whether it ended well. */
  boolean succeeded() throws InterruptedException {
    reader.join(REST_MILLIS);
    return process.waitFor() == 0;
  }

  /** What it said was wrong. */
  List<String> errors() {
    synchronized (errors) {
      return List.copyOf(errors);
    }
  }
}
