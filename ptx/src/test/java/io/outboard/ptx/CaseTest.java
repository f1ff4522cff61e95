// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.outboard.ptx.host.Dim3;
import io.outboard.ptx.host.PtxTrap;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Runs each file of {@code cases} with one thread. A line that stores a result says after {@code //
 * =} what it must be: a decimal number, or the bits in hexadecimal.
 */
class CaseTest {
  private static final Pattern EXPECTATION =
      Pattern.compile("st\\.global\\.(\\w+) \\[%out\\+(\\d+)], .*; // = (\\S+)");

  private record Expectation(String type, int offset, String value, int line) {}

  @TestFactory
  Stream<DynamicTest> cases() throws IOException, URISyntaxException {
    Path folder = Path.of(CaseTest.class.getResource("/cases").toURI());
    List<Path> files;
    try (Stream<Path> listed = Files.list(folder)) {
      files = listed.sorted().toList();
    }
    return files.stream().map(file -> dynamicTest(file.getFileName().toString(), () -> run(file)));
  }

  private static void run(Path file) throws IOException, PtxTrap {
    String text = Files.readString(file);
    List<Expectation> expectations = expectations(text);
    assertFalse(expectations.isEmpty());
    try (Device device = new Device(1 << 16)) {
      PtxKernel kernel = device.load(text).kernels().get("test");
      long out = device.allocate(4096);
      device.launch(kernel, Dim3.of(1), Dim3.of(1), 0, out);
      ByteBuffer results = ByteBuffer.wrap(device.bytes(out, 4096)).order(ByteOrder.LITTLE_ENDIAN);
      for (Expectation expectation : expectations) {
        assertEquals(
            bits(expectation),
            found(results, expectation),
            () ->
                "line "
                    + expectation.line
                    + ": "
                    + text.lines().skip(expectation.line - 2).findFirst().get());
      }
    }
  }

  private static List<Expectation> expectations(String text) {
    List<Expectation> found = new ArrayList<>();
    List<String> lines = text.lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      Matcher matcher = EXPECTATION.matcher(lines.get(i));
      if (matcher.find()) {
        int offset = Integer.parseInt(matcher.group(2));
        found.add(new Expectation(matcher.group(1), offset, matcher.group(3), i + 1));
      }
    }
    return found;
  }

  private static int width(String type) {
    return Integer.parseInt(type.substring(1));
  }

  private static String bits(Expectation e) {
    long bits;
    if (e.value.startsWith("0x")) {
      bits = Long.parseUnsignedLong(e.value.substring(2), 16);
    } else if (e.type.equals("f32")) {
      bits = Float.floatToRawIntBits(Float.parseFloat(e.value));
    } else if (e.type.equals("f64")) {
      bits = Double.doubleToRawLongBits(Double.parseDouble(e.value));
    } else {
      bits = e.value.startsWith("-") ? Long.parseLong(e.value) : Long.parseUnsignedLong(e.value);
    }
    return hex(bits, width(e.type));
  }

  private static String found(ByteBuffer results, Expectation e) {
    return switch (width(e.type)) {
      case 64 -> hex(results.getLong(e.offset), 64);
      case 32 -> hex(results.getInt(e.offset), 32);
      case 16 -> hex(results.getShort(e.offset), 16);
      default -> hex(results.get(e.offset), 8);
    };
  }

  private static String hex(long bits, int width) {
    return Long.toHexString(width == 64 ? bits : bits & ((1L << width) - 1));
  }
}
