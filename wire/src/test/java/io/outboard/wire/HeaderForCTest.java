// SPDX-License-Identifier: Apache-2.0
package io.outboard.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The numbers of the wire stand in the classes of this module alone, and the layout of the greeting
 * in the drawings of PROTOCOL.md ({@link DrawnGreetingTest}). The header of the frontend is made of
 * them. {@code -Doutboard.wire.update=true} writes it anew.
 */
class HeaderForCTest {
  private static final Path HEADER = Path.of("../frontend/runtime/base/wire.h");

  private static final String BEGIN =
      """
      /* SPDX-License-Identifier: Apache-2.0
       *
       * The numbers of the wire, made of the classes of the module wire and of the drawings of
       * PROTOCOL.md by HeaderForCTest:
       * ./mvnw -pl wire -am test -Doutboard.wire.update=true writes this file anew.
       */
      #ifndef OUTBOARD_RUNTIME_WIRE_H
      #define OUTBOARD_RUNTIME_WIRE_H

      #include <stddef.h>
      #include <stdint.h>

      """;

  private static final String END = "#endif\n";

  /** Constants of a class whose names begin so, as C has them. */
  private record Part(String title, Class<?> of, String begin, String inC) {
    List<String> lines() {
      List<String> lines = new ArrayList<>();
      lines.add("/* %s: %s.java */".formatted(title, of.getSimpleName()));
      lines.add("enum {");
      Stream.of(of.getDeclaredFields())
          .filter(field -> field.getType() == int.class && field.getName().startsWith(begin))
          .filter(HeaderForCTest::isConstant)
          .forEach(field -> lines.add("    " + name(field) + " = " + value(field) + ","));
      lines.add("};");
      lines.add("");
      return lines;
    }

    private String name(Field field) {
      return inC + field.getName().substring(begin.length());
    }
  }

  private static final List<Part> PARTS =
      List.of(
          new Part("kinds of frames", Frame.class, "KIND_", "KIND_"),
          new Part("flags of frames", Frame.class, "FLAG_", "FLAG_"),
          new Part("types of messages", Message.class, "TYPE_", "MESSAGE_"),
          new Part("flags of a Hello", Hello.class, "FLAG_", "HELLO_"),
          new Part("of the session's tag in them", Hello.class, "TAG_", "HELLO_TAG_"),
          new Part("of a thread's connection in them", Hello.class, "THREAD_", "HELLO_THREAD_"),
          new Part("flags of a Welcome", Welcome.class, "FLAG_", "WELCOME_"),
          new Part("codes of a Refusal", Refusal.class, "", "REFUSAL_"),
          new Part("shared memory: offsets and bounds", Region.class, "", "REGION_"));

  /** The fields of a frame's header, in order. */
  private static final List<String> FIELDS =
      List.of(
          "LENGTH",
          "KIND",
          "FLAGS",
          "CALL",
          "LIBRARY",
          "LANE",
          "THREAD",
          "RESULT",
          "SEQUENCE",
          "ACKNOWLEDGED");

  private static boolean isConstant(Field field) {
    return Modifier.isStatic(field.getModifiers()) && Modifier.isFinal(field.getModifiers());
  }

  private static int value(Field field) {
    try {
      field.setAccessible(true);
      return field.getInt(null);
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }

  private static int of(Class<?> type, String name) throws NoSuchFieldException {
    return value(type.getDeclaredField(name));
  }

  /** Where the fields of a message are, and where they end. */
  private static String offsets(Drawing drawing) {
    String name = drawing.name().replaceAll("(?<=[a-z])(?=[A-Z])", "_").toUpperCase(Locale.ROOT);
    StringBuilder lines = new StringBuilder();
    lines.append("/* offsets: PROTOCOL.md, %s */\nenum {\n".formatted(drawing.name()));
    drawing
        .fields()
        .forEach(
            (field, place) -> {
              if (!field.equals("zero")) {
                String in = field.toUpperCase(Locale.ROOT);
                lines.append("    AT_%s_%s = %d,\n".formatted(name, in, place.offset()));
              }
            });
    return lines.append("    %s_END = %d,\n};\n\n".formatted(name, drawing.end())).toString();
  }

  private static String header() throws NoSuchFieldException {
    StringBuilder text = new StringBuilder(BEGIN);
    for (Part part : PARTS) {
      part.lines().forEach(line -> text.append(line).append('\n'));
    }
    Drawing.all().stream()
        .filter(drawing -> !drawing.name().equals("Frame"))
        .forEach(drawing -> text.append(offsets(drawing)));
    text.append(
        """
        /* the greeting: Message.java; bounds: Limits.java */
        enum {
            MESSAGE_MAGIC = 0x%X,
            MESSAGE_VERSION = %d,
            MESSAGE_LIMIT = %d,
            BODY_LIMIT = %d,
            FRAME_HEADER = %d,
            FRAME_LIMIT = BODY_LIMIT + FRAME_HEADER,
            THREAD_LIMIT = %d,
            REPLY_LIMIT = %d,
            CHUNK_BYTES = %d,
        };

        #define PAYLOAD_LIMIT %dULL
        #define REGION_LEAST_RING %dULL
        #define REGION_MOST_RING %dULL

        /* Holds a structure to the header of a frame: Frame.java. */
        #define WIRE_FRAME_IS(type) \\
            _Static_assert(sizeof(type) == FRAME_HEADER, "the header has no padding"); \\
        """
            .formatted(
                Message.MAGIC,
                Message.VERSION,
                Limits.HANDSHAKE,
                Limits.BODY,
                Frame.HEADER,
                Limits.THREADS,
                Limits.REPLY,
                Limits.CHUNK,
                Limits.PAYLOAD,
                Region.LEAST_RING,
                Region.MOST_RING));
    for (String field : FIELDS) {
      boolean last = field.equals(FIELDS.getLast());
      text.append(
          "    _Static_assert(offsetof(type, %s) == %d, \"%s\")%s\n"
              .formatted(
                  field.toLowerCase(Locale.ROOT),
                  of(Frame.class, field),
                  field,
                  last ? "" : "; \\"));
    }
    return text.append('\n').append(END).toString();
  }

  @Test
  void theFrontendHasTheSameNumbers() throws Exception {
    if (Boolean.getBoolean("outboard.wire.update")) {
      Files.writeString(HEADER, header());
    }
    assertEquals(header(), Files.readString(HEADER));
  }
}
