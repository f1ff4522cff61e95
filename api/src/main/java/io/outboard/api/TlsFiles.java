// SPDX-License-Identifier: Apache-2.0
package io.outboard.api;

import io.outboard.communicator.tls.Pem;
import io.outboard.communicator.tls.TlsIdentity;
import io.outboard.communicator.tls.TlsServer;
import java.io.IOException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/** What TLS needs, out of PEM files. */
final class TlsFiles {
  private TlsFiles() {}

  /**
   * Reads them.
   *
   * @param certificate the certificate, and those that lead to its authority
   * @param key its key, which not everybody may read
   * @param clients the authorities whose certificates clients must have, if they must have one
   * @throws IOException if one cannot be used; the message says which and why
   */
  static SSLContext context(Path certificate, Path key, Optional<Path> clients) throws IOException {
    List<X509Certificate> authorities =
        clients.isPresent() ? Pem.certificates(clients.get()) : List.of();
    return new TlsServer(TlsIdentity.read(certificate, key), authorities).context();
  }
}
