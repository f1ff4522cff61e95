// SPDX-License-Identifier: Apache-2.0
package io.outboard.testrun;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads events while others write them. */
final class EventFile implements AutoCloseable {
  /** So much at a time: the rest comes with the next call. */
  private static final int MOST = 1 << 20;

  private final RandomAccessFile file;
  private long read;

  EventFile(Path path) throws IOException {
    file = new RandomAccessFile(path.toFile(), "r");
  }

  /** The events that were written since the last call. */
  List<Event> next() throws IOException {
    byte[] bytes = new byte[(int) Math.min(MOST, file.length() - read)];
    file.seek(read);
    file.readFully(bytes);
    String text = new String(bytes, 0, wholeLines(bytes), UTF_8);
    read += wholeLines(bytes);
    List<Event> events = new ArrayList<>();
    text.lines().forEach(line -> Event.parse(line).ifPresent(events::add));
    return events;
  }

  private static int wholeLines(byte[] bytes) {
    int end = bytes.length;
    while (end > 0 && bytes[end - 1] != '\n') {
      end--;
    }
    return end;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
