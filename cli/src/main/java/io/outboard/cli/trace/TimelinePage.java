// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.trace;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outboard.api.json.Json;
import io.outboard.api.json.Ordered;
import io.outboard.cli.command.Failure;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** A report with a timeline as one page of HTML, which loads nothing else. */
final class TimelinePage {
  /** Most slices of a page, the longest: a browser draws as many without a stop. */
  private static final int MOST = 200_000;

  private static final String DATA = "@DATA@";

  private final Trace trace;

  TimelinePage(Trace trace) {
    this.trace = trace;
  }

  /** Writes the page; returns how many slices there was no room for. */
  int write(Path to) throws Failure {
    List<Slice> shown = shown();
    try (InputStream page = TimelinePage.class.getResourceAsStream("timeline.html")) {
      String text = new String(page.readAllBytes(), UTF_8);
      Files.writeString(to, text.replace(DATA, escaped(Json.write(data(shown)))));
    } catch (IOException e) {
      throw new Failure(e);
    }
    return trace.slices().size() - shown.size();
  }

  /** Nothing in it ends the element that it stands in. */
  private static String escaped(String json) {
    return json.replace("<", "\\u003c");
  }

  private List<Slice> shown() {
    return trace.slices().stream()
        .sorted(Comparator.comparingDouble(Slice::time).reversed())
        .limit(MOST)
        .toList();
  }

  /** Names once; a slice is track, name, begin and time, in microseconds from the begin on. */
  private Map<String, Object> data(List<Slice> shown) {
    List<Slice.Track> tracks = tracks(shown);
    Map<Slice.Track, Integer> places = numbered(tracks);
    Map<String, Integer> names = numbered(shown.stream().map(Slice::name).distinct().toList());
    double begin = trace.begin();
    return Ordered.of(
        "tracks", tracks.stream().map(trace::name).toList(),
        "names", List.copyOf(names.keySet()),
        "end", trace.end() - begin,
        "report", new TraceSums(trace).answer().json(),
        "slices",
            shown.stream()
                .sorted(Comparator.comparingDouble(Slice::begin))
                .map(
                    slice ->
                        List.of(
                            places.get(slice.track()),
                            names.get(slice.name()),
                            thousandths(slice.begin() - begin),
                            thousandths(slice.time())))
                .toList());
  }

  /** To nanoseconds. */
  private static double thousandths(double microseconds) {
    return Math.round(microseconds * 1e3) / 1e3;
  }

  /** Devices first. */
  private static List<Slice.Track> tracks(List<Slice> slices) {
    return slices.stream()
        .map(Slice::track)
        .distinct()
        .sorted(
            Comparator.comparing((Slice.Track track) -> track.process() < Trace.DEVICES)
                .thenComparing(Slice.Track::process)
                .thenComparing(Slice.Track::thread))
        .toList();
  }

  private static <T> Map<T, Integer> numbered(List<T> all) {
    Map<T, Integer> numbers = new LinkedHashMap<>();
    IntStream.range(0, all.size()).forEach(number -> numbers.put(all.get(number), number));
    return numbers;
  }
}
