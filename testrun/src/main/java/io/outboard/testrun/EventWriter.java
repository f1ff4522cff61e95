// SPDX-License-Identifier: Apache-2.0
package io.outboard.testrun;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Writes events of the tests of this virtual machine to the file that {@link #FILE} names; several
 * machines share it. Without the variable it does nothing.
 */
public final class EventWriter implements TestExecutionListener {
  /** The variable with the file of events. Each process of the run has it, and is known by it. */
  static final String FILE = "TEST_RUN_EVENTS";

  private static final int LONGEST_REASON = 400;

  private final Optional<Path> file;
  private final String module;
  private final Map<String, Long> began = new ConcurrentHashMap<>();
  private final Set<String> told = ConcurrentHashMap.newKeySet();
  private volatile TestPlan plan;

  /** For the launcher of tests. */
  public EventWriter() {
    this(Optional.ofNullable(System.getenv(FILE)).map(Path::of), System.getProperty("basedir", ""));
  }

  EventWriter(Optional<Path> file, String folder) {
    this.file = file;
    module = Path.of(folder).toAbsolutePath().normalize().getFileName().toString();
  }

  @Override
  public void testPlanExecutionStarted(TestPlan tests) {
    plan = tests;
  }

  @Override
  public void testPlanExecutionFinished(TestPlan tests) {
    write(Event.Kind.DONE, "", "", "", 0, "");
  }

  @Override
  public void executionStarted(TestIdentifier test) {
    began.put(test.getUniqueId(), System.nanoTime());
    if (isWholeClass(test)) {
      write(Event.Kind.STARTED, type(test), "", "", 0, "");
    }
  }

  @Override
  public void executionSkipped(TestIdentifier test, String reason) {
    skip(test, reason);
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    Long start = began.remove(test.getUniqueId());
    long millis = start == null ? 0 : (System.nanoTime() - start) / 1_000_000;
    switch (result.getStatus()) {
      case SUCCESSFUL -> {
        if (test.isTest()) {
          tell(Event.Kind.PASSED, test, millis, "");
        }
      }
      case FAILED -> tell(Event.Kind.FAILED, test, millis, reason(result));
      case ABORTED -> skip(test, reason(result));
    }
    if (isWholeClass(test)) {
      write(Event.Kind.ENDED, type(test), "", "", millis, "");
    }
  }

  /** Of a class or a factory that does not run: each of its tests that is known and not over. */
  private void skip(TestIdentifier test, String reason) {
    if (!isClass(test)) {
      tell(Event.Kind.SKIPPED, test, 0, reason);
      return;
    }
    for (TestIdentifier child : plan.getChildren(test)) {
      if (!told.contains(child.getUniqueId())) {
        skip(child, reason);
      }
    }
  }

  private void tell(Event.Kind kind, TestIdentifier test, long millis, String reason) {
    told.add(test.getUniqueId());
    String method = method(test);
    String label = test.getDisplayName().equals(method + "()") ? "" : test.getDisplayName();
    write(kind, type(test), method, method.isEmpty() ? "" : label, millis, reason);
  }

  private static boolean isClass(TestIdentifier test) {
    return test.getSource().filter(ClassSource.class::isInstance).isPresent();
  }

  /** A class with parameters has itself as a child for each of them. */
  private boolean isWholeClass(TestIdentifier test) {
    return isClass(test) && plan.getParent(test).filter(EventWriter::isClass).isEmpty();
  }

  private String type(TestIdentifier test) {
    return nearest(
        test,
        source ->
            switch (source) {
              case ClassSource type -> type.getClassName().replaceFirst("\\$.*", "");
              case MethodSource method -> method.getClassName().replaceFirst("\\$.*", "");
              default -> null;
            });
  }

  private String method(TestIdentifier test) {
    return nearest(
        test, source -> source instanceof MethodSource method ? method.getMethodName() : null);
  }

  private interface Part {
    String of(Object source);
  }

  /** A part of the source of a test, or of what it lies in; else nothing. */
  private String nearest(TestIdentifier test, Part part) {
    for (Optional<TestIdentifier> at = Optional.of(test);
        at.isPresent();
        at = plan.getParent(at.orElseThrow())) {
      String found = at.orElseThrow().getSource().map(part::of).orElse(null);
      if (found != null) {
        return found;
      }
    }
    return "";
  }

  private static String reason(TestExecutionResult result) {
    return result.getThrowable().map(EventWriter::reason).orElse("");
  }

  private static String reason(Throwable thrown) {
    String text = String.valueOf(thrown.getMessage()).replaceFirst("^Assumption failed: ", "");
    String kind = thrown.getClass().getSimpleName();
    String whole =
        kind.equals("TestAbortedException") || kind.equals("AssertionFailedError")
            ? text
            : kind + ": " + text;
    return whole.length() > LONGEST_REASON ? whole.substring(0, LONGEST_REASON) + "..." : whole;
  }

  private void write(
      Event.Kind kind, String type, String method, String label, long millis, String text) {
    if (file.isEmpty()) {
      return;
    }
    String line = new Event(kind, module, type, method, label, millis, text).line();
    try {
      // One write at the file's end: lines of several machines do not mix.
      Files.write(
          file.get(), line.getBytes(UTF_8), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
