// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.communicator.certificate.Pem;
import io.outboard.communicator.certificate.TlsIdentity;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class CertificateFolderTest {
  @TempDir private Path folder;

  private String cert(int status, String... arguments) {
    StringWriter out = new StringWriter();
    CommandLine line = new CommandLine(new CertCommand());
    line.setOut(new PrintWriter(out)).setErr(new PrintWriter(out));
    assertEquals(status, line.execute(arguments), out::toString);
    return out.toString();
  }

  @Test
  void oneAuthorityVouchesForAll() throws Exception {
    Path tls = folder.resolve("tls");
    String said = cert(0, "server", "--folder", tls.toString(), "gpu.example", "10.0.0.1");
    TlsIdentity server = TlsIdentity.read(tls.resolve("server.pem"), tls.resolve("server.key"));
    assertTrue(said.contains("tls://" + server.fingerprint() + "@gpu.example"), said);
    assertEquals(2, server.certificate().getSubjectAlternativeNames().size());
    assertTrue(cert(0, "client", "--folder", tls.toString(), "alice").contains("alice.pem"));
    var authority = Pem.certificates(tls.resolve("ca.pem")).getFirst().getPublicKey();
    server.certificate().verify(authority);
    Pem.certificates(tls.resolve("alice.pem")).getFirst().verify(authority);
    for (String key : List.of("ca.key", "server.key", "alice.key")) {
      assertEquals(
          "rw-------",
          PosixFilePermissions.toString(Files.getPosixFilePermissions(tls.resolve(key))));
    }
  }

  @Test
  void aCertificateCanBeMadeAnew() throws Exception {
    cert(0, "server", "--folder", folder.toString(), "--days", "1");
    var first = Pem.certificates(folder.resolve("server.pem"));
    cert(0, "server", "--folder", folder.toString());
    var second = Pem.certificates(folder.resolve("server.pem"));
    assertNotEquals(first.getFirst(), second.getFirst());
    assertEquals(first.getLast(), second.getLast());
  }

  @Test
  void wrongNamesAreRefused() {
    assertTrue(cert(2, "client", "--folder", folder.toString(), "../x").contains("letters"));
    assertTrue(cert(2, "client", "--folder", folder.toString(), "ca").contains("not ca"));
    assertTrue(
        cert(2, "server", "--folder", folder.toString(), "1.2.3.999").contains("not an address"));
    assertTrue(cert(2, "server", "--folder", folder.toString(), "a b").contains("no name"));
    cert(2);
  }

  @Test
  void foldersAreTheUsersThenTheSystems() {
    assertEquals(
        List.of(Path.of("/h/.config/outboard/tls"), Path.of("/etc/outboard/tls")),
        CertificateFolder.candidates(Map.of("HOME", "/h")));
  }
}
