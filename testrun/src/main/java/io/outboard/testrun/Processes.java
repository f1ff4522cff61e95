// SPDX-License-Identifier: Apache-2.0
package io.outboard.testrun;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The processes of a run, however far they went: backends have sessions of their own, and outlive
 * what started them. One of the run is a descendant of this process, or has the run's variable.
 */
final class Processes {
  /** A backend ends with its program, which takes a while on a busy machine. */
  private static final Duration SOON = Duration.ofSeconds(20);

  private static final Duration POLITE = Duration.ofSeconds(4);
  private static final Duration FORCED = Duration.ofSeconds(10);
  private static final long PAUSE_MILLIS = 50;

  private final String mark;

  /**
   * For a run.
   *
   * @param events the file that {@link EventWriter#FILE} names in this run alone
   */
  Processes(Path events) {
    mark = EventWriter.FILE + "=" + events;
  }

  /** Those that are there, but this one. */
  List<ProcessHandle> find() {
    Stream<ProcessHandle> descendants = ProcessHandle.current().descendants();
    Set<ProcessHandle> ours =
        Stream.concat(descendants, ProcessHandle.allProcesses().filter(this::isMarked))
            .flatMap(process -> Stream.concat(Stream.of(process), process.descendants()))
            .collect(Collectors.toSet());
    ours.remove(ProcessHandle.current());
    return ours.stream().filter(Processes::isThere).toList();
  }

  private boolean isMarked(ProcessHandle process) {
    try {
      byte[] variables = Files.readAllBytes(proc(process, "environ"));
      return List.of(new String(variables, ISO_8859_1).split("\0")).contains(mark);
    } catch (IOException _) {
      // It is another user's, or gone.
      return false;
    }
  }

  /** One that nobody has waited for is no more than its number. */
  private static boolean isThere(ProcessHandle process) {
    try {
      String stat = Files.readString(proc(process, "stat"), ISO_8859_1);
      return stat.charAt(stat.lastIndexOf(')') + 2) != 'Z';
    } catch (IOException _) {
      return false;
    }
  }

  private static Path proc(ProcessHandle process, String file) {
    return Path.of("/proc", Long.toString(process.pid()), file);
  }

  /** Those that do not end by themselves soon. */
  List<ProcessHandle> lasting() throws InterruptedException {
    end(_ -> {}, SOON);
    return find();
  }

  /** Ends all of them: first those that can tidy up. */
  void end() throws InterruptedException {
    end(ProcessHandle::destroy, POLITE);
    end(ProcessHandle::destroyForcibly, FORCED);
  }

  /** What starts meanwhile ends too. */
  private void end(Consumer<ProcessHandle> how, Duration limit) throws InterruptedException {
    Instant until = Instant.now().plus(limit);
    for (List<ProcessHandle> left = find();
        !left.isEmpty() && Instant.now().isBefore(until);
        left = find()) {
      left.forEach(how);
      Thread.sleep(PAUSE_MILLIS);
    }
  }

  /** The name of a process, for people. */
  static String name(ProcessHandle process) {
    try {
      String command = Files.readString(proc(process, "cmdline"), ISO_8859_1);
      String words = command.replace('\0', ' ').strip();
      return words.length() > 100 ? words.substring(0, 100) + "..." : words;
    } catch (IOException _) {
      return "process " + process.pid();
    }
  }
}
