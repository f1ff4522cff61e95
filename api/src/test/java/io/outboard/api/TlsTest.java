// SPDX-License-Identifier: Apache-2.0
package io.outboard.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.pool.Pool;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.util.Base64;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Encryption, with certificates of the JDK's keytool. */
final class TlsTest {
  private static final char[] PASSWORD = "password".toCharArray();

  @TempDir private Path folder;
  private Pool pool;
  private ApiServer server;

  @AfterEach
  void close() {
    if (server != null) {
      server.close();
    }
    if (pool != null) {
      pool.close();
    }
  }

  /** PEM files of a fresh certificate that has signed itself. */
  private record Pair(Path certificate, Path key) {}

  private Pair pair(String name, String algorithm) throws Exception {
    Path store = folder.resolve(name + ".p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin/keytool").toString(),
                "-genkeypair",
                "-alias",
                "own",
                "-keyalg",
                algorithm,
                "-dname",
                "CN=localhost",
                "-ext",
                "san=ip:127.0.0.1",
                "-ext",
                "bc=ca:true",
                "-keystore",
                store.toString(),
                "-storetype",
                "PKCS12",
                "-storepass",
                new String(PASSWORD))
            .inheritIO()
            .start();
    assertEquals(0, keytool.waitFor());
    KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD);
    return new Pair(
        pem(name + ".crt", "CERTIFICATE", keys.getCertificate("own").getEncoded()),
        pem(name + ".key", "PRIVATE KEY", keys.getKey("own", PASSWORD).getEncoded()));
  }

  private Path pem(String name, String label, byte[] bytes) throws IOException {
    String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
    Path file =
        Files.writeString(
            folder.resolve(name),
            "text before\n-----BEGIN %s-----\n%s\n-----END %s-----\n"
                .formatted(label, body, label));
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  private void serve(Pair own, Optional<Path> clients) throws IOException {
    pool = TestServer.pool(folder.resolve("state"));
    ApiServer.Builder builder =
        ApiServer.at(ApiAddress.parse("https://127.0.0.1:0"))
            .certificate(own.certificate(), own.key());
    clients.ifPresent(builder::clients);
    server = builder.start(pool, TestServer.node(), folder.resolve("state"));
  }

  private int health(SSLContext context) throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newBuilder().sslContext(context).build()) {
      HttpResponse<String> answer =
          client.send(
              HttpRequest.newBuilder(URI.create(server.uri() + "/healthz")).build(),
              HttpResponse.BodyHandlers.ofString());
      assertEquals("TLSv1.3", answer.sslSession().orElseThrow().getProtocol());
      return answer.statusCode();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"RSA", "EC", "Ed25519"})
  void certificatesOfEachKindAreServed(String algorithm) throws Exception {
    Pair own = pair("own", algorithm);
    serve(own, Optional.empty());
    assertEquals(
        200,
        health(TlsFiles.context(own.certificate(), own.key(), Optional.of(own.certificate()))));
    assertThrows(IOException.class, () -> health(SSLContext.getDefault()), "nobody vouches for it");
  }

  @Test
  void aClientWithoutTheRightCertificateIsNotLetIn() throws Exception {
    Pair own = pair("own", "EC");
    Pair client = pair("client", "EC");
    Pair stranger = pair("stranger", "EC");
    serve(own, Optional.of(client.certificate()));
    Optional<Path> trusted = Optional.of(own.certificate());
    assertEquals(200, health(TlsFiles.context(client.certificate(), client.key(), trusted)));
    assertThrows(
        IOException.class,
        () -> health(TlsFiles.context(stranger.certificate(), stranger.key(), trusted)));
  }

  @Test
  void filesThatCannotBeUsedAreNamed() throws Exception {
    Pair own = pair("own", "EC");
    Pair other = pair("other", "RSA");
    IOException swapped =
        assertThrows(
            IOException.class, () -> serve(new Pair(own.key(), own.key()), Optional.empty()));
    assertTrue(swapped.getMessage().contains("own.key"), swapped.getMessage());
    IOException mixed =
        assertThrows(
            IOException.class,
            () -> serve(new Pair(own.certificate(), other.key()), Optional.empty()));
    assertTrue(mixed.getMessage().contains("other.key"), mixed.getMessage());
    Path none = Files.writeString(folder.resolve("none.key"), "-----BEGIN EC PRIVATE KEY-----\n");
    Files.setPosixFilePermissions(none, PosixFilePermissions.fromString("rw-------"));
    IOException old =
        assertThrows(
            IOException.class, () -> serve(new Pair(own.certificate(), none), Optional.empty()));
    assertTrue(old.getMessage().contains("no private key"), old.getMessage());
  }

  @Test
  void withoutEncryptionOnlyThisMachineIsServed() throws Exception {
    Pool other = TestServer.pool(folder.resolve("state"));
    try {
      for (String wrong : new String[] {"http://0.0.0.0:0", "http://192.0.2.1:0"}) {
        assertThrows(
            IOException.class,
            () ->
                ApiServer.at(ApiAddress.parse(wrong))
                    .start(other, TestServer.node(), folder.resolve("state")));
      }
      for (String wrong :
          new String[] {"ftp://a:1", "https://a", "https:", "127.0.0.1:1", "https://a:1/x"}) {
        assertThrows(IllegalArgumentException.class, () -> ApiAddress.parse(wrong), wrong);
      }
    } finally {
      other.close();
    }
  }
}
