// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A root of a container as Alpine's: a shell of busybox, musl, and a program that is linked with it
 * and loads {@code libcuda.so.1}.
 */
final class MuslRoot {
  /** Where the program is in it. */
  static final String PROGRAM = "/work/load";

  /** The beginning of what the client says in it. */
  static final String REFUSAL = "outboard: this system has musl (/lib/ld-musl-";

  private static final Path BUSYBOX = Path.of("/bin/busybox");

  private static final String SOURCE =
      """
      #include <dlfcn.h>
      #include <stdio.h>
      int main(void) {
          void *cuda = dlopen("libcuda.so.1", RTLD_NOW);
          puts(cuda != NULL ? "loaded" : dlerror());
          return cuda == NULL;
      }
      """;

  private MuslRoot() {}

  /** Skips the test where this machine has nothing to make one of. */
  static void assumePossible() throws IOException, InterruptedException {
    assumeTrue(
        Program.isHere("musl-gcc") && Files.exists(BUSYBOX) && isStatic(),
        "musl and a static busybox are not installed");
  }

  private static boolean isStatic() throws IOException, InterruptedException {
    return Program.run(List.of("ldd", BUSYBOX.toString()), Map.of()).status() != 0;
  }

  /** Makes one in an empty folder. */
  static void make(Path root) throws IOException, InterruptedException {
    for (String folder :
        List.of("bin", "lib", "opt/outboard/lib", "opt/outboard/bin", "run/outboard", "work")) {
      Files.createDirectories(root.resolve(folder));
    }
    Files.createFile(root.resolve("run/outboard/outboard.sock"));
    Files.copy(BUSYBOX, root.resolve("bin/sh"));
    Path source = Files.writeString(root.resolve("work/load.c"), SOURCE);
    String program = root.resolve(PROGRAM.substring(1)).toString();
    done("musl-gcc", "-o", program, source.toString());
    Files.delete(source);
    done("sh", "-c", "cp -L /lib/ld-musl-*.so.1 '%s'".formatted(root.resolve("lib")));
  }

  private static void done(String... words) throws IOException, InterruptedException {
    Program.Ended ended = Program.run(List.of(words), Map.of());
    assertEquals(0, ended.status(), ended::toString);
  }
}
