// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.certificate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class IssuerTest {
  private static final Instant FROM = Instant.parse("2026-11-21T00:00:00Z");
  private static final Instant UNTIL = FROM.plus(Duration.ofDays(30));
  private static final TlsIdentity AUTHORITY = Issuer.authority("Nodes of a test", FROM, UNTIL);
  private static final TlsIdentity SERVER =
      new Issuer(AUTHORITY).server(List.of("gpu.example", "10.1.2.3", "fd00::7"), FROM, UNTIL);

  @TempDir private Path folder;

  @Test
  void certificatesSayWhatTheyAreFor() throws Exception {
    X509Certificate server = SERVER.certificate();
    server.verify(AUTHORITY.certificate().getPublicKey());
    assertEquals("CN=gpu.example", server.getSubjectX500Principal().getName());
    assertEquals("CN=Nodes of a test", server.getIssuerX500Principal().getName());
    assertEquals(
        List.of(
            List.of(2, "gpu.example"), List.of(7, "10.1.2.3"), List.of(7, "fd00:0:0:0:0:0:0:7")),
        List.copyOf(server.getSubjectAlternativeNames()));
    assertEquals(List.of("1.3.6.1.5.5.7.3.1"), server.getExtendedKeyUsage());
    assertEquals(-1, server.getBasicConstraints());
    assertEquals(UNTIL, server.getNotAfter().toInstant());
    assertTrue(AUTHORITY.certificate().getBasicConstraints() >= 0);
    TlsIdentity client = new Issuer(AUTHORITY).client("alice", FROM, UNTIL);
    assertEquals(List.of("1.3.6.1.5.5.7.3.2"), client.certificate().getExtendedKeyUsage());
  }

  @Test
  void timesAfter2050HaveFourDigits() {
    Instant late = Instant.parse("2051-02-03T04:05:06Z");
    TlsIdentity authority = Issuer.authority("later", FROM, late);
    assertEquals(late, authority.certificate().getNotAfter().toInstant());
  }

  @Test
  void filesAreReadAsWritten() throws Exception {
    Path certificate = write("server.pem", Issuer.certificatesAsPem(SERVER));
    Path key = write("server.key", Issuer.keyAsPem(SERVER));
    assertEquals(SERVER, TlsIdentity.read(certificate, key));
    assertEquals(64, SERVER.fingerprint().length());
    Path other = write("other.key", Issuer.keyAsPem(AUTHORITY));
    var mixed = assertThrows(IOException.class, () -> TlsIdentity.read(certificate, other));
    assertTrue(mixed.getMessage().contains("is not the key of"), mixed::getMessage);
    var none = assertThrows(IOException.class, () -> Pem.privateKey(certificate));
    assertTrue(none.getMessage().endsWith("has no private key"), none::getMessage);
    var nothing = assertThrows(IOException.class, () -> Pem.certificates(key));
    assertTrue(nothing.getMessage().endsWith("has no certificate"), nothing::getMessage);
    assertThrows(IOException.class, () -> Pem.certificates(folder.resolve("absent")));
  }

  @Test
  void aKeyForEverybodyIsRefused() throws Exception {
    Path key = write("open.key", Issuer.keyAsPem(SERVER));
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));
    var error = assertThrows(IOException.class, () -> Pem.privateKey(key));
    assertTrue(error.getMessage().contains("chmod 600"), error::getMessage);
  }

  @Test
  void brokenBlocksAreErrors() throws Exception {
    String text = Issuer.certificatesAsPem(SERVER);
    Path cut = write("cut.pem", text.replaceFirst("(?s)\n.{200}", "\n"));
    assertThrows(IOException.class, () -> Pem.certificates(cut));
    Path wrong = write("wrong.key", Pem.encode(Pem.KEY, new byte[] {0x30, 0x03, 0x02, 0x01}));
    assertThrows(IOException.class, () -> Pem.privateKey(wrong));
    Path short1 = write("short.key", Pem.encode("EC PRIVATE KEY", new byte[] {0x30, 0x03, 0x02}));
    assertThrows(IOException.class, () -> Pem.privateKey(short1));
    Path odd = write("odd.key", Pem.encode("DSA PRIVATE KEY", new byte[] {0x30, 0}));
    assertThrows(IOException.class, () -> Pem.privateKey(odd));
  }

  @Test
  void opensslAgrees() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/openssl")), "no openssl here");
    Path authority = write("ca.pem", Issuer.certificatesAsPem(AUTHORITY));
    Path server = write("server.pem", Issuer.certificatesAsPem(SERVER));
    String at = Long.toString(FROM.getEpochSecond() + 60);
    String[] verify = {"verify", "-x509_strict", "-attime", at, "-purpose", "sslserver"};
    openssl(verify, "-CAfile", authority, "-verify_hostname", "gpu.example", server);
    openssl(verify, "-CAfile", authority, "-verify_ip", "fd00::7", server);
  }

  @Test
  void keysOfOpensslAreRead() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/openssl")), "no openssl here");
    Path own = folder.resolve("own.key");
    openssl(new String[] {"ecparam", "-genkey", "-name", "secp384r1"}, "-noout", "-out", own);
    assertEquals("EC", Pem.privateKey(own).getAlgorithm());
    Path rsa = folder.resolve("rsa.key");
    openssl(new String[] {"genrsa"}, "-traditional", "-out", rsa, "2048");
    assertEquals("RSA", Pem.privateKey(rsa).getAlgorithm());
    Path edwards = folder.resolve("edwards.key");
    openssl(new String[] {"genpkey", "-algorithm", "ed25519"}, "-out", edwards);
    assertEquals("EdDSA", Pem.privateKey(edwards).getAlgorithm());
    Path guarded = folder.resolve("guarded.key");
    openssl(
        new String[] {"genpkey", "-algorithm", "ed25519", "-aes256", "-pass", "pass:x"},
        "-out",
        guarded);
    var error = assertThrows(IOException.class, () -> Pem.privateKey(guarded));
    assertTrue(error.getMessage().contains("password"), error::getMessage);
  }

  private Path write(String name, String text) throws IOException {
    Path file = Files.writeString(folder.resolve(name), text);
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  private static void openssl(String[] first, Object... more) throws Exception {
    List<String> command = new ArrayList<>(List.of("openssl"));
    command.addAll(List.of(first));
    Arrays.stream(more).map(Object::toString).forEach(command::add);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertEquals(0, process.waitFor(), said);
  }
}
