// SPDX-License-Identifier: Apache-2.0
package io.outboard.gl.vendor;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outboard.gl.GlResult;
import io.outboard.wire.Native;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The words of a context about itself to programs: the host's version, but no later one than is
 * described, and those of the host's extensions whose functions are all described.
 */
final class Shown {
  private static final int VERSION = 0x1F02;
  private static final int EXTENSIONS = 0x1F03;
  private static final int SHADING_LANGUAGE = 0x8B8C;
  private static final int NUM_EXTENSIONS = 0x821D;
  private static final int MAJOR_VERSION = 0x821B;
  private static final int MINOR_VERSION = 0x821C;
  private static final String EMBEDDED = "OpenGL ES";
  private static final String LAST = "4.3";
  private static final String LAST_SHADERS = "4.30";
  private static final Pattern NUMBER = Pattern.compile("^(\\d+)\\.(\\d+)");

  private static final Set<String> DESCRIBED = described();

  private final VendorGl host;

  Shown(VendorGl host) {
    this.host = host;
  }

  private static Set<String> described() {
    try (InputStream file = Shown.class.getResourceAsStream("extensions.txt")) {
      return new String(file.readAllBytes(), UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .collect(Collectors.toUnmodifiableSet());
    } catch (IOException e) {
      throw new IllegalStateException("the list of extensions cannot be read", e);
    }
  }

  /** {@code glGetString}. */
  int text(int name, long to, int room) {
    String text =
        switch (name) {
          case VERSION -> limited(host.hostText(name), LAST);
          case SHADING_LANGUAGE -> limited(host.hostText(name), LAST_SHADERS);
          case EXTENSIONS -> extensionsAsText();
          default -> host.hostText(name);
        };
    return give(text, to, room);
  }

  /** {@code glGetStringi}. */
  int textAt(int name, int index, long to, int room) {
    if (name != EXTENSIONS) {
      return give(host.hostTextAt(name, index), to, room);
    }
    List<String> all = extensions();
    boolean there = index >= 0 && index < all.size();
    return give(there ? all.get(index) : host.hostTextAt(name, -1), to, room);
  }

  /** A figure that the host has another value of, none where it is the host's. */
  Optional<Integer> figure(int name) {
    return switch (name) {
      case NUM_EXTENSIONS -> Optional.of(extensions().size());
      case MAJOR_VERSION -> version().map(found -> Integer.parseInt(found.group(1)));
      case MINOR_VERSION -> version().map(found -> Integer.parseInt(found.group(2)));
      default -> Optional.empty();
    };
  }

  private Optional<Matcher> version() {
    String text = host.hostText(VERSION);
    return Optional.ofNullable(text)
        .filter(found -> !found.startsWith(EMBEDDED))
        .map(found -> NUMBER.matcher(limited(found, LAST)))
        .filter(Matcher::find);
  }

  /** A version of OpenGL ES is described to the last one. */
  private static String limited(String text, String last) {
    if (text == null || text.startsWith(EMBEDDED)) {
      return text;
    }
    Matcher number = NUMBER.matcher(text);
    boolean later = number.find() && Double.parseDouble(number.group()) > Double.parseDouble(last);
    return later ? last + text.substring(number.end()) : text;
  }

  private List<String> extensions() {
    return IntStream.range(0, host.integer(NUM_EXTENSIONS))
        .mapToObj(i -> host.hostTextAt(EXTENSIONS, i))
        .filter(DESCRIBED::contains)
        .toList();
  }

  private String extensionsAsText() {
    String text = host.hostText(EXTENSIONS);
    return text == null
        ? null
        : Stream.of(text.split(" ")).filter(DESCRIBED::contains).collect(Collectors.joining(" "));
  }

  /** No text is an empty one. */
  private static int give(String text, long to, int room) {
    if (room < 1) {
      return GlResult.INVALID_VALUE;
    }
    byte[] bytes = text == null ? new byte[0] : text.getBytes(UTF_8);
    int length = Math.min(bytes.length, room - 1);
    for (int i = 0; i < length; i++) {
      Native.putByte(to + i, bytes[i]);
    }
    Native.putByte(to + length, (byte) 0);
    return GlResult.SUCCESS;
  }
}
