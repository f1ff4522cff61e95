// SPDX-License-Identifier: Apache-2.0
package io.outboard.testrun;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One run of tests, from its first build to its summary. */
final class Run {
  private static final int SUCCESS = 0;
  private static final int FAILURE = 1;

  /** As a program that the closed pipe's signal ended. */
  private static final int CLOSED_PIPE = 141;

  private static final long PAUSE_MILLIS = 200;

  /** A run of few tests tells of each class, another one of each module. */
  private static final int FEW_MODULES = 2;

  private final Path root;
  private final Path folder;
  private final Path log;
  private final Path events;
  private final Plan plan;
  private final Screen screen;
  private final Processes processes;
  private final Instant start = Instant.now();
  private final Tally tally = new Tally();
  private final Progress progress;
  private final Optionals optionals;
  private volatile boolean isEnding;

  /**
   * Prepares it; what an earlier run left that was killed ends now.
   *
   * @param folder where its files are, and those of earlier runs
   */
  Run(Path root, Path folder, Plan plan, Screen screen) throws IOException, InterruptedException {
    this.root = root;
    this.folder = folder;
    this.plan = plan;
    this.screen = screen;
    log = root.resolve("target/build.log");
    endEarlier();
    events = Files.createFile(folder.resolve("events-" + ProcessHandle.current().pid()));
    processes = new Processes(events);
    optionals = Optionals.read(root);
    progress = new Progress(tally, plan.tests(), earlier());
  }

  private void endEarlier() throws IOException, InterruptedException {
    try (DirectoryStream<Path> left = Files.newDirectoryStream(folder, "events-*")) {
      for (Path file : left) {
        new Processes(file).end();
        Files.delete(file);
      }
    }
  }

  private Optional<Curve> earlier() throws IOException {
    return plan.kind().isEmpty() ? Optional.empty() : Curve.read(folder, plan.kind().get());
  }

  /** Runs all of it; the value is the exit status. */
  int run() throws IOException, InterruptedException {
    Thread end = new Thread(this::endAll);
    Runtime.getRuntime().addShutdownHook(end);
    try (EventFile file = new EventFile(events)) {
      Files.deleteIfExists(log);
      choose();
      tellLength();
      boolean built = follow(maven(), file);
      if (built && plan.make().isPresent()) {
        built = follow(make(plan.make().get()), file);
      }
      if (isUnread()) {
        return CLOSED_PIPE;
      }
      return isEnding ? FAILURE : sum(built);
    }
  }

  private List<String> maven() {
    List<String> command = new ArrayList<>();
    command.add(root.resolve("mvnw").toString());
    command.addAll(List.of("--batch-mode", "--color", "never"));
    command.add("-Dmaven.test.additionalClasspath=" + folder.resolve("classes"));
    command.addAll(plan.maven());
    return command;
  }

  private List<String> make(List<String> arguments) {
    List<String> command = new ArrayList<>(List.of("make", "-s", "-C"));
    command.add(root.resolve(Sources.FRONTEND).toString());
    command.addAll(arguments);
    return command;
  }

  private void tellLength() throws IOException {
    earlier()
        .ifPresent(
            curve ->
                screen.line(
                    "outboard: about %d tests; an earlier run took %s; the whole log is in %s"
                        .formatted(
                            curve.tests(), Progress.left(curve.length()), root.relativize(log))));
  }

  /** Tests of other modules are not compiled, where Maven is told that some are chosen. */
  private void choose() throws IOException {
    for (String module : Sources.modules(root)) {
      Path chosen = root.resolve(module).resolve("target/chosen");
      Files.deleteIfExists(chosen);
      if (plan.modules().contains(module)) {
        Files.createDirectories(chosen.getParent());
        Files.createFile(chosen);
      }
    }
  }

  /** Follows a build to its end; the value says whether it was done. */
  private boolean follow(List<String> command, EventFile file)
      throws IOException, InterruptedException {
    Build build = new Build(command, log, events);
    boolean runs = true;
    while (runs) {
      runs = build.runs();
      List<Event> next = file.next();
      if (isEnding || isUnread()) {
        return false;
      }
      next.forEach(this::add);
      if (screen.isDue()) {
        screen.status(progress.line(elapsed(), build.building()));
      }
      if (build.isBroken()) {
        break;
      }
      Thread.sleep(PAUSE_MILLIS);
    }
    if (build.isBroken() || !build.succeeded()) {
      build.errors().forEach(screen::line);
      return false;
    }
    return true;
  }

  /** Whether nobody reads any more what this says. */
  private boolean isUnread() {
    return screen.isClosed() || Reader.isGone();
  }

  private Duration elapsed() {
    return Duration.between(start, Instant.now());
  }

  private void add(Event event) {
    tally.add(event);
    progress.note(elapsed());
    switch (event.kind()) {
      case FAILED -> screen.line("FAILED " + Summary.failure(event));
      case ENDED -> {
        if (plan.modules().size() <= FEW_MODULES && plan.kind().isEmpty()) {
          screen.line("  %s %.1f s".formatted(event.simpleType(), event.millis() / 1000.0));
        }
      }
      case DONE -> tellModule(event.module());
      default -> {}
    }
  }

  private void tellModule(String module) {
    Tally.Counts counts = tally.modules().get(module);
    if (counts.all() > 0) {
      screen.line(
          "  %s: %d passed, %d failed, %d skipped"
              .formatted(module, counts.passed(), counts.failed(), counts.skipped()));
    }
  }

  /** Tells what it came to; the value is the exit status. */
  private int sum(boolean built) throws IOException, InterruptedException {
    screen.clear();
    if (built) {
      tellLeft();
      tally.lost().forEach(this::add);
    } else {
      processes.end();
    }
    List<String> faults = faults(built);
    if (faults.isEmpty() && plan.kind().isPresent() && progress.curve().isPresent()) {
      progress.curve().get().write(folder, plan.kind().get());
    }
    Summary.lines(tally, optionals, faults).forEach(screen::line);
    return faults.isEmpty() && tally.failed() == 0 ? SUCCESS : FAILURE;
  }

  /** What is wrong beside tests that fail. */
  private List<String> faults(boolean built) {
    if (!built) {
      return List.of("the build failed; the whole log is in " + root.relativize(log));
    }
    List<String> faults = new ArrayList<>();
    tally.unseen(plan.modules()).forEach(module -> faults.add("no test of " + module + " ran"));
    if ("true".equals(System.getenv("CI"))) {
      optionals
          .missed(tally.skips())
          .forEach(name -> faults.add(".ci/skips does not name " + name));
    }
    return faults;
  }

  /** A test that leaves a process running has a fault, which must not fill the machine. */
  private void tellLeft() throws InterruptedException {
    for (ProcessHandle left : processes.lasting()) {
      screen.line("outboard: left running, and ended now: " + Processes.name(left));
    }
    processes.end();
  }

  /** What fails from now on fails for this, and is not told. */
  private void endAll() {
    isEnding = true;
    try {
      processes.end();
      Files.deleteIfExists(events);
    } catch (IOException | InterruptedException _) {
      // This process ends, and can do no more.
    }
  }
}
