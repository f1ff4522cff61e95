// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.outboard.patience.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A domain of Xen's and its domain 0 without Xen: their devices are files of a folder ({@code
 * frontend/test/domains.c}), and Outboard's programs of both run over them.
 */
final class Domains implements AutoCloseable {
  private static final Path STAND_INS = Home.PATH.resolve("frontend/target/test");
  private static final Path TOOLS = STAND_INS.resolve("bin");
  private static final String GUEST = "3";

  private final Path folder;
  private final Process host;
  private final Process companion;
  private final String relay;

  /** In an empty folder, with a backend that domain 0 reaches there: {@code tcp://HOST:PORT}. */
  Domains(Path folder, String backend) throws IOException {
    this.folder = folder;
    host = start("outboard-xen", GUEST, backend);
    companion = start("outboard-connect", "xen:0");
    relay = companion.inputReader(UTF_8).readLine();
  }

  private Process start(String tool, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(TOOLS.resolve(tool).toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT);
    Program.setVariables(builder, Map.of());
    return builder.start();
  }

  /** Where programs of the domain find the backend that grant no pages themselves. */
  String relay() {
    return relay;
  }

  /** A program that grants its own, where {@link #variables} are set. */
  List<String> command(Path program, String... words) {
    List<String> command = new ArrayList<>(List.of("env", "-C", folder.toString()));
    command.add(program.toString());
    command.addAll(List.of(words));
    return command;
  }

  /** Those of a program of the domain on a backend, with a token. */
  Map<String, String> variables(Backend backend, String token) throws IOException {
    Map<String, String> variables = backend.variables("xen:0", token, folder);
    variables.put("LD_PRELOAD", STAND_INS.resolve("lib/liboutboard.so").toString());
    return variables;
  }

  Path folder() {
    return folder;
  }

  /** Domain 0's {@code outboard-xen}, which has a process for each connection. */
  Process host() {
    return host;
  }

  long connections() {
    return host.children().count();
  }

  /** Offers of the domain that nobody has taken. */
  long offers() throws IOException {
    try (Stream<Path> keys = Files.list(folder.resolve("keys"))) {
      return keys.count();
    }
  }

  /** Ends the companion, and the domain, with which domain 0's side ends. */
  @Override
  public void close() throws IOException {
    try {
      companion.toHandle().destroy();
      assertEndsWell(companion);
      assertEquals(0, offers());
      Files.createFile(folder.resolve("gone"));
      Files.move(Files.createFile(folder.resolve("last")), folder.resolve("keys/last"));
      assertEndsWell(host);
    } finally {
      companion.destroyForcibly();
      host.destroyForcibly();
    }
  }

  private static void assertEndsWell(Process process) {
    assertEquals(
        0,
        process
            .onExit()
            .orTimeout(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)
            .join()
            .exitValue());
  }
}
