// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The lock file: its entries never change unseen. */
class LockTest {
  private static final String FIRST =
      "@Call(1) int one(int a, @Out(value = io.outboard.spec.Scalar.INT, count = \"a\") long b);\n";
  private static final String SECOND = "@Call(2) @Async int two(long c);\n";

  @TempDir private Path output;
  private Path lock;

  @BeforeEach
  void writeLock() throws IOException {
    lock = output.resolve("some.lock");
    assertEquals(List.of(), compile(FIRST + SECOND, true));
  }

  private List<String> compile(String methods, boolean update) throws IOException {
    Path classes = Files.createTempDirectory(output, "classes");
    return new Compilation(classes)
        .option("-Aoutboard.lock=" + lock)
        .option("-Aoutboard.lock.update=" + update)
        .source(
            "Some",
            """
            package p;
            import io.outboard.spec.*;
            @Library(name = "some", id = 7, soname = "libsome.so",
                results = @Results(invalidValue = 1, notSupported = 2, notInitialized = 3, unavailable = 4, outOfMemory = 5))
            interface Some {
            """
                + methods
                + "}\n")
        .run()
        .errors();
  }

  @Test
  void holdsNumberNameAndEncoding() throws IOException {
    assertEquals(
        List.of("1 one plain(i32,out:i32[$0])", "2 two async(i64)"),
        Files.readAllLines(lock).stream().filter(line -> !line.startsWith("#")).toList());
  }

  @Test
  void acceptsWhatIsInIt() throws IOException {
    assertEquals(List.of(), compile(FIRST + SECOND, false));
    assertEquals(List.of(), compile(SECOND + FIRST, false));
  }

  @Test
  void namesOfParametersMayChange() throws IOException {
    String renamed = FIRST.replace("int a,", "int size,").replace("\"a\"", "\"size\"");
    assertEquals(List.of(), compile(renamed + SECOND, false));
  }

  @Test
  void refusesAChange() throws IOException {
    List<String> errors = compile(FIRST + SECOND.replace("long c", "int c"), false);
    assertEquals(1, errors.size());
    assertTrue(
        errors
            .getFirst()
            .startsWith(
                "7: call 2 is locked as \"2 two async(i64)\" but is now \"2 two async(i32)\"; give the"
                    + " new encoding a new number"),
        errors.getFirst());
  }

  @Test
  void refusesARemoval() throws IOException {
    List<String> errors = compile(FIRST, false);
    assertEquals(1, errors.size());
    assertTrue(
        errors.getFirst().startsWith("5: call 2, locked as \"2 two async(i64)\", is gone"),
        errors.getFirst());
  }

  @Test
  void asksForAnUpdateWhereACallIsNew() throws IOException {
    assertEquals(
        List.of(
            "8: three is not in some.lock yet; compile once with -Aoutboard.lock.update=true to add"
                + " it"),
        compile(FIRST + SECOND + "@Call(3) int three();\n", false));
  }
}
