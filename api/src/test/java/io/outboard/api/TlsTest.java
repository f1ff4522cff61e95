// SPDX-License-Identifier: Apache-2.0
package io.outboard.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.outboard.communicator.certificate.Pem;
import io.outboard.communicator.certificate.TlsIdentity;
import io.outboard.communicator.certificate.TlsServer;
import io.outboard.pool.Pool;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
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
  private record Pair(Path certificate, Path key) {
    /** A server with this certificate, for clients that others vouch for. */
    TlsServer trusting(Pair... others) throws IOException {
      List<X509Certificate> trusted = new ArrayList<>();
      for (Pair other : others) {
        trusted.addAll(Pem.certificates(other.certificate()));
      }
      return new TlsServer(TlsIdentity.read(certificate, key), trusted);
    }
  }

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
    Path file = folder.resolve(name);
    Files.writeString(
        file, "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(label, body, label));
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  private void serve(TlsServer tls) throws IOException {
    pool = TestServer.pool(folder.resolve("state"));
    server =
        ApiServer.at(ApiAddress.parse("https://127.0.0.1:0"))
            .tls(tls)
            .start(pool, TestServer.node(), folder.resolve("state"));
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
    serve(own.trusting());
    assertEquals(200, health(own.trusting(own).context()));
    assertThrows(IOException.class, () -> health(SSLContext.getDefault()), "nobody vouches for it");
  }

  @Test
  void aClientWithoutTheRightCertificateIsNotLetIn() throws Exception {
    Pair own = pair("own", "EC");
    Pair client = pair("client", "EC");
    Pair stranger = pair("stranger", "EC");
    serve(own.trusting(client));
    assertEquals(200, health(client.trusting(own).context()));
    assertThrows(IOException.class, () -> health(stranger.trusting(own).context()));
  }

  @Test
  void handshakesThatDoNotComeHoldUpNobody() throws Exception {
    Pair own = pair("own", "EC");
    serve(own.trusting());
    List<Socket> silent = new ArrayList<>();
    try {
      for (int i = 0; i < 600; i++) {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.uri().getPort());
        silent.add(socket);
        if (i % 2 == 0) {
          // The first bytes of a ClientHello.
          socket.getOutputStream().write(new byte[] {22, 3, 1, 2, 0, 1});
        }
      }
      assertEquals(200, health(own.trusting(own).context()));
    } finally {
      for (Socket socket : silent) {
        socket.close();
      }
    }
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
