// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The lines of a picture in a document meet: a text that lost its spaces draws nothing. */
final class PicturesTest {
  /** A line goes up from these. */
  private static final String UPWARD = "├┤└┘┴┼";

  @Test
  void whatGoesUpHasSomethingAboveIt() throws IOException {
    List<String> wrong = new ArrayList<>();
    int pictures = 0;
    for (Path document : documents()) {
      List<String> lines = Files.readAllLines(document);
      for (int i = 1; i < lines.size(); i++) {
        String line = lines.get(i);
        String above = lines.get(i - 1);
        pictures += (int) upward(line).count();
        if (upward(line).anyMatch(column -> isEmpty(above, column))) {
          wrong.add(document.getFileName() + ":" + (i + 1) + ": " + line);
        }
      }
    }
    assertFalse(pictures == 0, "no picture was found");
    assertEquals(List.of(), wrong);
  }

  private static IntStream upward(String line) {
    return IntStream.range(0, line.length()).filter(i -> UPWARD.indexOf(line.charAt(i)) >= 0);
  }

  private static boolean isEmpty(String line, int column) {
    return column >= line.length() || line.charAt(column) == ' ';
  }

  private static List<Path> documents() {
    try (Stream<Path> root = Files.list(Home.PATH);
        Stream<Path> docs = Files.walk(Home.PATH.resolve("docs"))) {
      return Stream.concat(root, docs).filter(file -> file.toString().endsWith(".md")).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
