// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import io.outboard.communicator.certificate.Issuer;
import io.outboard.communicator.certificate.TlsIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;

/** Certificates of a test's own, in a folder. */
final class Certificates {
  private static final Instant FROM = Instant.parse("2026-01-01T00:00:00Z");
  private static final Instant UNTIL = Instant.parse("2099-01-01T00:00:00Z");

  private final Path folder;
  private final TlsIdentity authority = Issuer.authority("test", FROM, UNTIL);

  Certificates(Path folder) throws IOException {
    this.folder = folder;
    Files.writeString(ca(), Issuer.certificatesAsPem(authority));
  }

  /** The authority's certificate. */
  Path ca() {
    return folder.resolve("ca.pem");
  }

  TlsIdentity authority() {
    return authority;
  }

  /** A server that is called so. */
  TlsIdentity server(String... names) {
    return new Issuer(authority).server(List.of(names), FROM, UNTIL);
  }

  /** One whose time was over a second after it began. */
  TlsIdentity expired(String... names) {
    return new Issuer(authority).server(List.of(names), FROM, FROM.plusSeconds(1));
  }

  TlsIdentity client(String name) {
    return new Issuer(authority).client(name, FROM, UNTIL);
  }

  /** Writes an identity's files, NAME.pem and NAME.key; returns the former. */
  Path write(String name, TlsIdentity identity) throws IOException {
    Path key = Files.writeString(folder.resolve(name + ".key"), Issuer.keyAsPem(identity));
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    return Files.writeString(folder.resolve(name + ".pem"), Issuer.certificatesAsPem(identity));
  }
}
