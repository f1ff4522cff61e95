// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.audit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outboard.api.json.Json;
import io.outboard.api.json.Ordered;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Lines of JSON of a bounded length in an {@link AuditFile}. One that cannot be written is lost and
 * counted; when lines can be written again, the first says how many were lost.
 */
final class AuditBook implements AutoCloseable {
  /** Most bytes of a line, its end included. */
  static final int MOST_LINE = 1_024;

  private static final System.Logger LOG = System.getLogger(AuditBook.class.getName());

  // So many characters of each text; the second bounds a line of nine texts in any case, as a
  // character takes at most six bytes.
  private static final int USUAL_TEXT = 128;
  private static final int SHORT_TEXT = 12;

  private final AuditFile file;
  private final InstantSource clock;
  // Guarded by this object's monitor.
  private long lost;
  private long untold;

  /** Opens one of so many files of so many bytes. */
  AuditBook(Path path, long mostBytes, int files, InstantSource clock) throws IOException {
    this.file = new AuditFile(path, mostBytes, files);
    this.clock = clock;
  }

  /** Adds a line of at most nine texts, where that is possible. */
  synchronized void add(Map<String, Object> line) {
    try {
      retry();
      file.add(bounded(line));
    } catch (IOException e) {
      if (untold == 0) {
        LOG.log(System.Logger.Level.ERROR, "the audit log cannot be written: " + e.getMessage());
      }
      untold++;
      lost++;
    }
  }

  /** Whether lines can be written, as far as is known; tries, where one could not. */
  synchronized boolean works() {
    try {
      retry();
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Lines that could not be written. */
  synchronized long lost() {
    return lost;
  }

  /** The last lines of such a file, the youngest first; what is no line of ours is left out. */
  static List<Map<String, Object>> last(Path path, int most) throws IOException {
    try (FileChannel file = FileChannel.open(path)) {
      long from = Math.max(0, file.size() - (long) most * MOST_LINE);
      ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(file.size() - from));
      while (bytes.hasRemaining() && file.read(bytes, from + bytes.position()) >= 0) {
        // Another part of it.
      }
      return new String(bytes.array(), 0, bytes.position(), UTF_8)
          .lines().flatMap(line -> read(line).stream()).toList().reversed().stream()
              .limit(most)
              .toList();
    }
  }

  @SuppressWarnings("unchecked") // An object's names are texts.
  private static Optional<Map<String, Object>> read(String line) {
    try {
      return Json.read(line) instanceof Map<?, ?> object
          ? Optional.of((Map<String, Object>) object)
          : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private void retry() throws IOException {
    if (untold > 0) {
      file.add(
          Json.write(
              Ordered.of(
                  "time",
                  clock.instant().toString(),
                  "event",
                  untold + " lines could not be written and are lost")));
      untold = 0;
    }
  }

  private static String bounded(Map<String, Object> line) {
    String usual = Json.write(cut(line, USUAL_TEXT));
    return usual.getBytes(UTF_8).length < MOST_LINE ? usual : Json.write(cut(line, SHORT_TEXT));
  }

  private static Map<String, Object> cut(Map<String, Object> line, int most) {
    Map<String, Object> cut = new LinkedHashMap<>(line);
    cut.replaceAll(
        (_, value) ->
            value instanceof String text && text.length() > most ? text.substring(0, most) : value);
    return cut;
  }

  @Override
  public synchronized void close() throws IOException {
    file.close();
  }
}
