// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The functions that a program's libraries entered and left, as {@code trace.c} wrote them. */
final class FunctionTrace {
  /** A function, and the file that it was written in. */
  record Function(String name, Path file) {}

  private record Place(String object, String address) {}

  private record Event(boolean enters, String thread, Place place) {}

  /** The last one may be half there: threads that go on may write while the process ends. */
  private static final Pattern LINE = Pattern.compile("([<>]) ([0-9]+) (\\S+) (0x[0-9a-f]+)");

  private final List<Event> events;
  private final Map<Place, Function> functions = new HashMap<>();

  private FunctionTrace(List<Event> events) {
    this.events = events;
  }

  /** Reads a file, and asks {@code addr2line} which functions these are. */
  static FunctionTrace read(Path file) throws IOException, InterruptedException {
    FunctionTrace trace =
        new FunctionTrace(
            Files.readAllLines(file).stream()
                .map(LINE::matcher)
                .filter(Matcher::matches)
                .map(FunctionTrace::event)
                .toList());
    Map<String, Set<Place>> places =
        trace.events.stream()
            .map(Event::place)
            .collect(Collectors.groupingBy(Place::object, Collectors.toSet()));
    for (Set<Place> ofObject : places.values()) {
      trace.name(List.copyOf(ofObject));
    }
    return trace;
  }

  private static Event event(Matcher line) {
    Place place = new Place(line.group(3), line.group(4));
    return new Event(line.group(1).equals(">"), line.group(2), place);
  }

  private void name(List<Place> places) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("addr2line", "-f", "-e"));
    command.add(places.getFirst().object());
    places.forEach(place -> command.add(place.address()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    List<String> lines = output.lines().toList();
    if (process.waitFor() != 0 || lines.size() != 2 * places.size()) {
      throw new IOException("addr2line: " + output);
    }
    for (int i = 0; i < places.size(); i++) {
      Path file = Path.of(lines.get(2 * i + 1).replaceFirst(":[0-9?]+.*", "")).normalize();
      functions.put(places.get(i), new Function(lines.get(2 * i), file));
    }
  }

  /**
   * The functions that have been entered and not left, outermost first, when {@code end} is entered
   * below {@code begin}: for the last call of {@code begin}, and the first end within it.
   */
  List<Function> path(String begin, String end) {
    Map<String, Deque<Function>> entered = new HashMap<>();
    List<Function> path = List.of();
    for (Event event : events) {
      Deque<Function> stack = entered.computeIfAbsent(event.thread(), _ -> new ArrayDeque<>());
      if (!event.enters()) {
        stack.pollLast();
        continue;
      }
      Function function = functions.get(event.place());
      stack.addLast(function);
      if (function.name().equals(begin)) {
        path = List.of();
      } else if (path.isEmpty() && function.name().equals(end)) {
        path = from(begin, stack);
      }
    }
    return path;
  }

  private static List<Function> from(String begin, Deque<Function> stack) {
    return stack.stream().dropWhile(function -> !function.name().equals(begin)).toList();
  }

  /** The files of functions that lie below a folder, each once, in order. */
  static Set<Path> filesBelow(Path folder, List<Function> functions) {
    return functions.stream()
        .map(Function::file)
        .filter(file -> file.startsWith(folder))
        .map(folder::relativize)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }
}
