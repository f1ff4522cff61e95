// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Programs over shared memory and over TCP, they and the frontend built with the thread sanitizer;
 * its libraries are built with {@code -Dlong}.
 */
@Lengthy
final class ThreadSanitizerTest {
  private static final Path LIBRARIES = Home.PATH.resolve("frontend/target/tsan/lib");

  @RegisterExtension static final Backend BACKEND = new Backend();

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({
    "transfer,threads,1",
    "transfer,threads,8",
    "transfer,sizes,1",
    "state,other-threads-stream,1",
    "state,other-threads-stream,8",
    "state,callback-that-calls,8",
    "state,far-behind-functions,8",
    "relays,among-functions,1",
    "relays,renewed,1",
    "threads,1+100,1",
    "threads,1+100,8",
    "threads,1+100,tcp 8",
    "transfer,threads,tcp 8",
    "state,far-behind-functions,tcp 8"
  })
  void noRaces(String program, String what, String way) throws IOException, InterruptedException {
    assumeTrue(Files.exists(LIBRARIES), "the frontend was not built with the thread sanitizer");
    Path built = folder.resolve(program);
    Gcc.compile(
        List.of(
            "-O1",
            "-g",
            "-fsanitize=thread",
            "-I" + Home.generated("cuda"),
            "-o",
            built.toString(),
            Home.PATH.resolve("conformance/c/" + program + ".c").toString(),
            "-L" + LIBRARIES,
            "-lcuda",
            "-Wl,--allow-shlib-undefined",
            "-ldl"));
    boolean distant = way.startsWith("tcp ");
    String endpoint = distant ? BACKEND.tcp() : BACKEND.endpoints().getFirst();
    Map<String, String> variables = new HashMap<>(BACKEND.variables(endpoint));
    variables.put("LD_LIBRARY_PATH", LIBRARIES.toString());
    variables.put("OUTBOARD_RINGS", way.replace("tcp ", ""));
    variables.put("TSAN_OPTIONS", "atexit_sleep_ms=0");
    assertEquals(
        new Program.Ended(0, "ok\n", ""), Program.run(List.of(built.toString(), what), variables));
  }
}
