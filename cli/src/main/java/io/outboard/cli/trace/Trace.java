// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.trace;

import io.outboard.api.json.Json;
import io.outboard.cli.command.Failure;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A trace as {@code outboard run --trace} writes it: an event a line. The last line of a program
 * that was killed may be cut, and is left out.
 */
final class Trace {
  /** The number of the first device among the processes of the file. */
  static final int DEVICES = 3;

  private final List<Slice> slices = new ArrayList<>();
  private final Map<Integer, String> processes = new HashMap<>();
  private final Map<Slice.Track, String> threads = new HashMap<>();

  private Trace() {}

  /** Reads a file. */
  static Trace read(Path file) throws Failure {
    Trace trace = new Trace();
    try (BufferedReader lines = Files.newBufferedReader(file)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        trace.add(line);
      }
    } catch (IOException e) {
      throw new Failure(e);
    }
    if (trace.slices.isEmpty()) {
      throw new Failure(file + ": nothing that 'outboard run --trace' has written is in it");
    }
    return trace;
  }

  private void add(String line) {
    int from = line.indexOf('{');
    int to = line.lastIndexOf('}');
    if (from < 0 || to < from) {
      return;
    }
    try {
      if (Json.read(line.substring(from, to + 1)) instanceof Map<?, ?> event) {
        add(event);
      }
    } catch (IllegalArgumentException e) {
      // A line that is cut, or nobody's.
    }
  }

  private void add(Map<?, ?> event) {
    Slice.Track track = new Slice.Track(integer(event.get("pid")), integer(event.get("tid")));
    String name = String.valueOf(event.get("name"));
    switch (String.valueOf(event.get("ph"))) {
      case "X" -> slices.add(new Slice(track, name, number(event, "ts"), number(event, "dur")));
      case "M" -> name(track, name, event.get("args"));
      default -> {}
    }
  }

  private void name(Slice.Track track, String what, Object arguments) {
    String name = arguments instanceof Map<?, ?> its ? String.valueOf(its.get("name")) : "";
    if (what.equals("process_name")) {
      processes.put(track.process(), name);
    } else {
      threads.put(track, name);
    }
  }

  private static int integer(Object value) {
    return value instanceof Number number ? number.intValue() : 0;
  }

  private static double number(Map<?, ?> event, String field) {
    return event.get(field) instanceof Number number ? number.doubleValue() : 0;
  }

  List<Slice> slices() {
    return slices;
  }

  static boolean isDevice(Slice slice) {
    return slice.track().process() >= DEVICES;
  }

  /** The place that a track is a part of: the program, the backend, a device. */
  String place(int process) {
    return processes.getOrDefault(process, "process " + process);
  }

  /** A track in its place. */
  String name(Slice.Track track) {
    return place(track.process()) + ", " + threads.getOrDefault(track, "thread " + track.thread());
  }

  /** When the first slice begins. */
  double begin() {
    return slices.stream().mapToDouble(Slice::begin).min().orElse(0);
  }

  /** When the last one ends. */
  double end() {
    return slices.stream().mapToDouble(Slice::end).max().orElse(0);
  }
}
