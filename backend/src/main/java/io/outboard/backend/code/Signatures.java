// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.code;

import io.outboard.wire.Bytes;
import io.outboard.wire.Sha256;
import java.io.IOException;
import java.security.CodeSigner;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Locale;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.regex.Pattern;

/**
 * The signatures of a jar, as the JDK has verified them ("JAR File Specification", Signed JAR
 * File). The certificate of a signer counts by its SHA-256 alone, and only while it is valid: a
 * time stamp of somebody else's does not make an expired one good.
 *
 * @param listed the SHA-256 of certificates, one of which each file has to be signed with
 */
record Signatures(Set<Bytes> listed) {
  /** The files of signatures, which cannot be signed themselves. */
  private static final Pattern OWN =
      Pattern.compile("META-INF/(SIG-[^/]*|[^/]*\\.(SF|RSA|DSA|EC))");

  /**
   * Whether a file is to be kept: nobody reads those of signatures.
   *
   * @param entry one that was read to its end
   * @throws IOException if no listed signer vouches for it
   */
  boolean vouchFor(JarEntry entry) throws IOException {
    CodeSigner[] signers = entry.getCodeSigners();
    if (signers == null) {
      if (entry.isDirectory() || OWN.matcher(entry.getName().toUpperCase(Locale.ROOT)).matches()) {
        return false;
      }
      throw new IOException("the jar is not listed, and its file %s not signed".formatted(entry));
    }
    for (CodeSigner signer : signers) {
      if (isListed(signer)) {
        return true;
      }
    }
    throw new IOException(
        "no listed signer with a valid certificate has signed %s".formatted(entry));
  }

  private boolean isListed(CodeSigner signer) {
    try {
      X509Certificate certificate =
          (X509Certificate) signer.getSignerCertPath().getCertificates().getFirst();
      certificate.checkValidity();
      return listed.contains(Sha256.of(certificate.getEncoded()));
    } catch (CertificateException e) {
      return false;
    }
  }
}
