// SPDX-License-Identifier: Apache-2.0
package io.outboard.wire;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A layout as PROTOCOL.md draws it: the name at the begin of a line of a picture, then for each
 * field the offset, the type and the name, and the offset at which all of them end.
 *
 * @param name of the message or of the part of one
 * @param fields by name, in order
 * @param end the offset behind the last one
 */
record Drawing(String name, SequencedMap<String, Field> fields, int end) {
  private static final Path DOCUMENT = Path.of("..", "PROTOCOL.md");
  private static final String FENCE = "```";
  private static final Pattern BEGIN = Pattern.compile("([A-Z][A-Za-z]+)( +\\d+ (?:u\\d|char).*)");
  private static final Pattern FURTHER = Pattern.compile(" +\\d+ (?:u\\d|char|end).*");
  private static final Pattern FIELD =
      Pattern.compile("(\\d+) (u|char)(\\d*)(?:\\[(\\d+)\\])? ([a-z]+)");
  private static final Pattern END = Pattern.compile("(\\d+) end");

  /**
   * A field.
   *
   * @param offset of its first byte
   * @param bytes how many it has
   */
  record Field(int offset, int bytes) {
    /** The value that is there: of a number of 8 bytes at most. */
    long number(byte[] message) {
      long value = 0;
      for (int i = bytes - 1; i >= 0; i--) {
        value = value << Byte.SIZE | Byte.toUnsignedLong(message[offset + i]);
      }
      return value;
    }

    /** The bytes that are there. */
    Bytes bytes(byte[] message) {
      byte[] there = new byte[bytes];
      ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN).get(offset, there);
      return Bytes.of(there);
    }
  }

  /** All that the document draws, in order. */
  static List<Drawing> all() {
    List<Drawing> all = new ArrayList<>();
    String[] parts = text().split(FENCE, -1);
    for (int picture = 1; picture < parts.length; picture += 2) {
      addAll(parts[picture], all);
    }
    return all;
  }

  /** The one of this name. */
  static Drawing of(String name) {
    return all().stream().filter(one -> one.name.equals(name)).findFirst().orElseThrow();
  }

  private static String text() {
    try {
      return Files.readString(DOCUMENT);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void addAll(String picture, List<Drawing> to) {
    String name = "";
    StringBuilder body = new StringBuilder();
    for (String line : picture.split("\n", -1)) {
      Matcher begin = BEGIN.matcher(line);
      boolean goesOn = !name.isEmpty() && FURTHER.matcher(line).matches();
      if (goesOn) {
        body.append(line);
        continue;
      }
      add(name, body, to);
      name = begin.matches() ? begin.group(1) : "";
      body = new StringBuilder(begin.matches() ? begin.group(2) : "");
    }
    add(name, body, to);
  }

  private static void add(String name, CharSequence body, List<Drawing> to) {
    if (name.isEmpty()) {
      return;
    }
    SequencedMap<String, Field> fields = new LinkedHashMap<>();
    for (Matcher field = FIELD.matcher(body); field.find(); ) {
      fields.put(field.group(5), new Field(number(field.group(1)), bytes(field)));
    }
    Matcher end = END.matcher(body);
    if (!end.find()) {
      throw new AssertionError(name + " is drawn without an end");
    }
    to.add(new Drawing(name, fields, number(end.group(1))).withoutGaps());
  }

  private static int bytes(Matcher field) {
    int each = field.group(3).isEmpty() ? 1 : number(field.group(3)) / Byte.SIZE;
    return field.group(4) == null ? each : each * number(field.group(4));
  }

  private static int number(String digits) {
    return Integer.parseInt(digits);
  }

  private Drawing withoutGaps() {
    int next = fields.firstEntry().getValue().offset();
    for (var field : fields.entrySet()) {
      if (field.getValue().offset() != next) {
        throw new AssertionError(name + ": a gap before " + field.getKey());
      }
      next += field.getValue().bytes();
    }
    if (next != end) {
      throw new AssertionError("%s is drawn to %d and not to %d".formatted(name, next, end));
    }
    return this;
  }
}
