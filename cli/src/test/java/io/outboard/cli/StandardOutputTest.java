// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import picocli.CommandLine;

/** A command ends when nobody has what it prints. */
final class StandardOutputTest {
  private static final Path SOURCES = Path.of("src/main/java");

  private final List<Integer> ends = new ArrayList<>();
  private final ByteArrayOutputStream errors = new ByteArrayOutputStream();

  private PrintWriter lost(boolean pipe) {
    OutputStream nobody =
        new OutputStream() {
          @Override
          public void write(int one) throws IOException {
            throw new IOException("no room");
          }
        };
    PrintStream told = new PrintStream(errors, true, UTF_8);
    OutputStream out = new StandardOutput(nobody, pipe, told, ends::add);
    return new PrintWriter(new PrintStream(out, false, UTF_8), true, UTF_8);
  }

  @TestFactory
  Stream<DynamicTest> everyCommandEndsOnAClosedPipe() {
    return paths(Outboard.commandLine(), List.of())
        .map(path -> DynamicTest.dynamicTest("" + path, () -> endsOnAClosedPipe(path)));
  }

  /** The arguments that name each command and its subcommands. */
  private static Stream<List<String>> paths(CommandLine command, List<String> path) {
    return Stream.concat(
        Stream.of(path),
        command.getSubcommands().entrySet().stream()
            .flatMap(
                entry ->
                    paths(
                        entry.getValue(),
                        Stream.concat(path.stream(), Stream.of(entry.getKey())).toList())));
  }

  private void endsOnAClosedPipe(List<String> path) {
    ends.clear();
    CommandLine all = Outboard.commandLine().setOut(lost(true));
    String[] arguments = Stream.concat(path.stream(), Stream.of("--help")).toArray(String[]::new);
    assertEquals(StandardOutput.CLOSED, Outboard.execute(all, arguments));
    assertEquals(List.of(StandardOutput.CLOSED), ends);
    assertEquals("", errors.toString(UTF_8), "a reader that has gone is no error");
  }

  @Test
  void aFullDiskIsAnError() {
    CommandLine all = Outboard.commandLine().setOut(lost(false));
    assertEquals(StandardOutput.FAILED, Outboard.execute(all, "version"));
    assertEquals("outboard: standard output cannot be written: no room\n", errors.toString(UTF_8));
  }

  /** Else it would not be seen that nobody has it. */
  @Test
  void noCommandOpensStandardOutputByItself() throws IOException {
    try (Stream<Path> files = Files.walk(SOURCES)) {
      List<Path> others =
          files.filter(Files::isRegularFile).filter(StandardOutputTest::opens).toList();
      assertEquals(1, others.size(), others::toString);
      assertTrue(others.getFirst().endsWith("StandardOutput.java"), others::toString);
    }
  }

  private static boolean opens(Path file) {
    try {
      String text = Files.readString(file);
      return text.contains("FileDescriptor.out") || text.contains("/dev/stdout");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
