// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;

/** {@code outboard broker} in a process of its own, with a home of its own. */
final class PoolBroker {
  private final Launcher outboard;
  private final String store;
  private final Path certificate;
  private String api = "https://127.0.0.1:0";
  private Process process;
  private BufferedReader lines;

  /**
   * Makes one.
   *
   * @param certificate of this machine's address, with its key beside it
   */
  PoolBroker(Path home, String store, Path certificate) throws IOException {
    this.outboard = new Launcher(Files.createDirectory(home));
    this.store = store;
    this.certificate = certificate;
  }

  /** Where commands ask it. */
  Path socket() {
    return outboard.socket();
  }

  /** Where nodes ask it, once it has led. */
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
    String unused = Launcher.awaitLine(lines, "waits: ");
  }

  private void launch() throws IOException {
    process =
        outboard.start(
            "broker",
            "--store",
            store,
            "--api",
            api,
            "--tls-cert",
            certificate.toString(),
            "--tls-key",
            certificate.toString().replace(".pem", ".key"));
    lines = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
  }

  void awaitLead() throws IOException {
    api = Launcher.awaitLine(lines, "api at ");
  }

  /** As a lack of memory does: it can say nothing to anybody. */
  void kill() throws InterruptedException {
    if (process != null) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().waitFor();
    }
  }
}
