// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The generated C compiles without a warning, where there is a compiler. */
class GeneratedCTest {
  private static final Path RUNTIME = Path.of("..", "frontend", "runtime");

  @TempDir private Path output;

  @ParameterizedTest
  @CsvSource({"gcc,stubs.c", "gcc,symbols.c", "clang,stubs.c", "clang,symbols.c"})
  void compiles(String compiler, String file) throws IOException, InterruptedException {
    assumeTrue(isInstalled(compiler), compiler + " is not installed");
    ToySources.compilation(output).run();
    compile(compiler, output.resolve("META-INF/outboard/toy"), file);
  }

  @ParameterizedTest
  @CsvSource({"gcc,stubs.c", "gcc,symbols.c", "clang,stubs.c"})
  void compilesWithObjects(String compiler, String file) throws IOException, InterruptedException {
    assumeTrue(isInstalled(compiler), compiler + " is not installed");
    ToySources.desk(output).run();
    compile(compiler, output.resolve("META-INF/outboard/desk"), file);
  }

  private void compile(String compiler, Path generated, String file)
      throws IOException, InterruptedException {
    assertEquals(
        "",
        run(
            compiler,
            "-std=c11",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-Wshadow",
            "-fPIC",
            "-fvisibility=hidden",
            "-I" + RUNTIME,
            "-I" + generated,
            "-c",
            generated.resolve(file).toString(),
            "-o",
            output.resolve("out.o").toString()));
  }

  @ParameterizedTest
  @CsvSource({"gcc,c", "g++,c++"})
  void theHeaderStandsAlone(String compiler, String language)
      throws IOException, InterruptedException {
    assumeTrue(isInstalled(compiler), compiler + " is not installed");
    ToySources.compilation(output).run();
    Path header = output.resolve("META-INF/outboard/toy/toy.h");
    assertEquals(
        "",
        run(
            compiler,
            "-x",
            language,
            "-Wall",
            "-Wextra",
            "-Werror",
            "-fsyntax-only",
            header.toString()));
  }

  private static boolean isInstalled(String compiler) throws InterruptedException {
    try {
      return run(compiler, "--version").contains("\n");
    } catch (IOException e) {
      return false;
    }
  }

  private static String run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return text;
  }
}
