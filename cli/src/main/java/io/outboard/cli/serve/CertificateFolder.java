// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.serve;

import io.outboard.communicator.certificate.Issuer;
import io.outboard.communicator.certificate.TlsIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;

/** A folder with certificates and keys of our own making. */
final class CertificateFolder {
  /** The file with the server's certificates. */
  static final String SERVER = "server.pem";

  /** The file with the server's key. */
  static final String SERVER_KEY = "server.key";

  private static final String AUTHORITY = "ca";

  private final Path folder;

  CertificateFolder(Path folder) {
    this.folder = folder;
  }

  /** Where certificates are looked for: the user's folder, then the system's. */
  static List<Path> candidates(Map<String, String> environment) {
    String base = environment.getOrDefault("XDG_CONFIG_HOME", "");
    Path home =
        base.isEmpty() ? Path.of(environment.getOrDefault("HOME", "/"), ".config") : Path.of(base);
    return List.of(home.resolve("outboard").resolve("tls"), Path.of("/etc/outboard/tls"));
  }

  /** The file with the certificate of a name. */
  Path certificate(String name) {
    return folder.resolve(name + ".pem");
  }

  /** The file with the authority's certificate, which clients need. */
  Path authority() {
    return certificate(AUTHORITY);
  }

  private Path key(String name) {
    return folder.resolve(name + ".key");
  }

  boolean hasAuthority() {
    return Files.exists(key(AUTHORITY));
  }

  /** Reads the authority. */
  TlsIdentity readAuthority() throws IOException {
    return read(AUTHORITY);
  }

  /** Whether there is an identity of a name; its certificate is written last. */
  boolean has(String name) {
    return Files.exists(certificate(name));
  }

  /** Reads an identity. */
  TlsIdentity read(String name) throws IOException {
    return TlsIdentity.read(certificate(name), key(name));
  }

  /** Keeps the authority. */
  void keepAuthority(TlsIdentity identity) throws IOException {
    keep(AUTHORITY, identity);
  }

  /** Keeps an identity, in place of what had that name. */
  void keep(String name, TlsIdentity identity) throws IOException {
    Files.createDirectories(
        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
    write(key(name), Issuer.keyAsPem(identity), "rw-------");
    write(certificate(name), Issuer.certificatesAsPem(identity), "rw-r--r--");
  }

  /** The file has its mode before it has its content, and its name when it has both. */
  private void write(Path file, String text, String mode) throws IOException {
    Path fresh =
        Files.createTempFile(
            folder,
            "new",
            "",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(fresh, text);
    Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString(mode));
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
