// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.measure;

import io.outboard.communicator.certificate.Issuer;
import io.outboard.communicator.certificate.TlsIdentity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** A backend's certificate, and the program that encrypts for others; started when it is wanted. */
final class Companion implements AutoCloseable {
  private static final Duration LASTS = Duration.ofDays(2);

  private final Path certificate;
  private final Path key;
  private final String host;
  private final TlsIdentity identity;
  private Process process;
  private String endpoint;

  /** For a backend that listens at HOST:PORT, and keeps its files in a folder. */
  Companion(Path folder, String host) throws IOException {
    this.host = host;
    certificate = folder.resolve("server.pem");
    key = folder.resolve("server.key");
    Instant from = Instant.now().minusSeconds(60);
    TlsIdentity authority = Issuer.authority("bench", from, from.plus(LASTS));
    identity = new Issuer(authority).server(List.of("127.0.0.1"), from, from.plus(LASTS));
    Files.writeString(certificate, Issuer.certificatesAsPem(identity));
    Files.writeString(key, Issuer.keyAsPem(identity));
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
  }

  /** Where the backend listens. */
  String listens() {
    return "tls://" + host;
  }

  /** Options that the backend needs for it. */
  List<String> serveOptions() {
    return List.of("--listen=" + listens(), "--tls-cert=" + certificate);
  }

  /** Where programs connect to. */
  synchronized String endpoint() {
    if (process == null) {
      endpoint = start();
    }
    return endpoint;
  }

  private String start() {
    Path tools = Path.of(System.getProperty("outboard.tools", "frontend/target/bin"));
    String uri = "tls://" + identity.fingerprint() + "@" + host;
    try {
      process =
          new ProcessBuilder(tools.resolve("outboard-connect").toString(), uri)
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      Runtime.getRuntime().addShutdownHook(new Thread(process::destroy, "end of the companion"));
      String line = process.inputReader().readLine();
      if (line == null) {
        throw new IOException("outboard-connect does not start");
      }
      return line;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public synchronized void close() throws IOException {
    if (process != null) {
      process.destroy();
      Waiting.forEnd(process);
    }
    Files.deleteIfExists(certificate);
    Files.deleteIfExists(key);
  }
}
