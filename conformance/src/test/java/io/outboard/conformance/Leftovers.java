// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import io.outboard.patience.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The resources of an idle backend, to be compared with those that it holds later. */
final class Leftovers {
  private static final int SOCKETS_BESIDE_LISTENERS = 2;

  /**
   * Files that an OpenCL platform keeps of kernels, as it does without us, and files of other
   * tests.
   */
  private static final Pattern FOREIGN = Pattern.compile("/pocl|/outboard-test-");

  private final Backend backend;
  private final List<String> files;
  private final List<String> descriptors;

  private Leftovers(Backend backend) throws IOException {
    this.backend = backend;
    this.files = files(backend);
    this.descriptors = descriptors(backend);
  }

  /** Looks once nobody is served any more: only one worker waits, for the next. */
  static Leftovers ofIdle(Backend backend) throws Exception {
    awaitOneWorker(backend);
    // A session's files go after its descriptors.
    Patience.until("no session's files", () -> !hasSessionFiles(backend));
    return new Leftovers(backend);
  }

  /** Waits until it holds what it held, and as many descriptors. */
  void awaitSame() throws Exception {
    awaitOneWorker(backend);
    Patience.until(
        () -> "descriptors as before: %s, before %s".formatted(open(backend), descriptors),
        () -> descriptors(backend).equals(descriptors));
    Patience.until(() -> "files as before: " + describeFiles(), () -> files(backend).equals(files));
  }

  /** The daemon closes what sessions had shortly after their programs have ended. */
  static void awaitNoSession(Backend backend) throws Exception {
    Patience.until("no worker of a session", () -> backend.daemon().children().count() <= 1);
    // A session's page is closed last.
    Patience.until("no session", () -> !descriptors(backend).toString().contains("memfd"));
  }

  private static void awaitOneWorker(Backend backend) throws Exception {
    awaitNoSession(backend);
    Patience.until("one worker", () -> backend.daemon().children().count() == 1);
    Patience.until(() -> "a ready worker's descriptors: " + open(backend), () -> ready(backend));
  }

  /**
   * The daemon's own: its listeners, that of its workers, and the worker that it has accepted. One
   * more is a connection whose loss the daemon has not seen yet, which is no part of an idle one.
   */
  private static boolean ready(Backend backend) throws IOException {
    return descriptors(backend).stream().filter(one -> one.startsWith("socket")).count()
        == backend.listeners() + SOCKETS_BESIDE_LISTENERS;
  }

  private String describeFiles() {
    try {
      return "%s, before %s".formatted(files(backend), files);
    } catch (IOException e) {
      return e.toString();
    }
  }

  private static String open(Backend backend) {
    try {
      return descriptors(backend).toString();
    } catch (IOException e) {
      return e.toString();
    }
  }

  /** The daemon's that are no files, by kind: their numbers change. */
  private static List<String> descriptors(Backend backend) throws IOException {
    try (Stream<Path> open = Files.list(Path.of("/proc/" + backend.daemon().pid() + "/fd"))) {
      return open.map(Leftovers::target)
          .filter(one -> !one.startsWith("/") || one.contains("memfd") || one.contains("shm"))
          .map(one -> one.replaceAll("\\d+", ""))
          .sorted()
          .toList();
    }
  }

  private static String target(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString();
    } catch (IOException e) {
      return "closed";
    }
  }

  /**
   * Those in the backend's own folder, and shared memory that has a name. Each worker has a file
   * for what a crash leaves, of another name.
   */
  private static List<String> files(Backend backend) throws IOException {
    List<String> all = new ArrayList<>(names(Path.of("/dev/shm"), "outboard"));
    all.addAll(names(backend.folder(), ""));
    all.replaceAll(one -> one.replaceAll("/crashes/[^/]+$", "/crashes/one"));
    Collections.sort(all);
    return all;
  }

  private static boolean hasSessionFiles(Backend backend) throws IOException {
    return files(backend).stream().anyMatch(one -> one.contains(".sessions/"));
  }

  private static Set<String> names(Path folder, String part) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .map(Path::toString)
          .filter(one -> one.contains(part) && !FOREIGN.matcher(one).find())
          .collect(Collectors.toSet());
    }
  }
}
