// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A daemon that may open few files: the clients that it cannot serve are told so, and the others
 * keep their own descriptors.
 */
final class FewDescriptorsTest {
  private static final int CLIENTS = 24;

  /** Few enough for some of the clients to be too many. */
  private static final int OTHERS = 31;

  @RegisterExtension
  static final Backend BACKEND = new Backend(FewDescriptorsTest::withFewDescriptors);

  private static List<String> withFewDescriptors(Path temporary) {
    String limit = "ulimit -n %d; exec \"$@\"".formatted(jars() + OTHERS);
    List<String> words = new ArrayList<>(List.of("sh", "-c", limit, "sh"));
    words.addAll(Backend.fromSources(temporary));
    return words;
  }

  /** The virtual machine has each jar of its class path open. */
  private static long jars() {
    try (Stream<Path> files = Files.list(Home.COMMAND.resolveSibling("lib"))) {
      return 1 + files.filter(file -> file.toString().endsWith(".jar")).count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aDescriptorBelongsToOneSession() throws Exception {
    List<Future<Program.Ended>> clients = new ArrayList<>();
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      for (int i = 0; i < CLIENTS; i++) {
        clients.add(threads.submit(FewDescriptorsTest::client));
      }
    }
    for (Future<Program.Ended> client : clients) {
      Program.Ended ended = client.get();
      assertTrue(ended.status() == 0 || ended.errors().contains("open files"), ended::toString);
    }
    String log = BACKEND.log();
    assertFalse(log.contains("Bad file descriptor"), log);
    assertFalse(log.contains("Permission denied"), log);
    Leftovers.awaitNoSession(BACKEND);
    Program.Ended last = client();
    assertEquals(0, last.status(), last::toString);
  }

  private static Program.Ended client() throws Exception {
    List<String> command = List.of(Home.PROGRAMS.resolve("steady").toString(), "5");
    return Program.run(command, BACKEND.variables("unix:" + BACKEND.socket()));
  }
}
