// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** {@code outboard broker} in a process of its own, with a home of its own. */
final class PoolBroker {
  private final Launcher outboard;
  private final String store;
  private final Path certificate;
  private String api;
  private Process process;
  private BufferedReader lines;

  /**
   * Makes one.
   *
   * @param certificate of this machine's address, with its key beside it
   */
  PoolBroker(Path home, String store, Path certificate) throws IOException {
    this(
        new Launcher(Files.createDirectory(home)),
        store,
        certificate,
        "https://127.0.0.1:" + FreePort.next());
  }

  /**
   * Makes one that is started somewhere.
   *
   * @param certificate of its address, with its key beside it
   * @param api where nodes ask it
   */
  PoolBroker(Launcher outboard, String store, Path certificate, String api) {
    this.outboard = outboard;
    this.store = store;
    this.certificate = certificate;
    this.api = api;
  }

  /** Where commands ask it. */
  Path socket() {
    return outboard.socket();
  }

  /** Where nodes ask it. */
  String api() {
    return api;
  }

  /** Starts it, and waits until it leads. */
  void start() throws IOException {
    launch();
    awaitLead();
  }

  /** Starts it, and waits until it waits for the end of another one. */
  void startBehind() throws IOException {
    launch();
    String unused = outboard.awaitLine(lines, "waits: ");
  }

  /** Starts it behind another one, or as the only one; with further options. */
  void launch(String... more) throws IOException {
    List<String> words =
        new ArrayList<>(
            List.of(
                "broker",
                "--store",
                store,
                "--api",
                api,
                "--tls-cert",
                certificate.toString(),
                "--tls-key",
                certificate.toString().replace(".pem", ".key")));
    words.addAll(List.of(more));
    process = outboard.start(words.toArray(String[]::new));
    lines = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
  }

  void awaitLead() throws IOException {
    api = outboard.awaitLine(lines, "api at ");
  }

  /** Whether it runs. */
  boolean isAlive() {
    return process != null && process.isAlive();
  }

  /** It does nothing any more, and nobody is told; its connections stay. */
  void stop() throws IOException, InterruptedException {
    signal("STOP");
  }

  /** It goes on. */
  void goOn() throws IOException, InterruptedException {
    signal("CONT");
  }

  private void signal(String name) throws IOException, InterruptedException {
    String which = Long.toString(process.pid());
    assertEquals(0, Program.run(List.of("kill", "-" + name, which), Map.of()).status());
  }

  /** As a lack of memory does: it can say nothing to anybody. */
  void kill() throws InterruptedException {
    if (process != null) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().waitFor();
    }
  }
}
