// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.tls;

import java.io.IOException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.Locale;

/** Errors of encrypted connections, in words for people. */
final class TlsErrors {
  private TlsErrors() {}

  static String text(IOException error) {
    Throwable root = error;
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      String known = known(cause);
      if (known != null) {
        return known;
      }
      root = cause;
    }
    return root.getMessage() != null ? root.getMessage() : root.toString();
  }

  private static String known(Throwable cause) {
    String message = String.valueOf(cause.getMessage());
    return switch (cause) {
      case CertificateExpiredException _ -> "the certificate has expired (" + message + ")";
      case CertificateNotYetValidException _ -> "the certificate is not valid yet: " + message;
      case CertPathBuilderException _ ->
          "the certificate is not trusted: none of the known authorities vouches for it;"
              + " OUTBOARD_CA, or 'run --ca', names a file with its own";
      default -> ofMessage(message);
    };
  }

  private static String ofMessage(String message) {
    String lower = message.toLowerCase(Locale.ROOT);
    if (lower.contains("subject alternative") || lower.startsWith("no name matching")) {
      return "the certificate is another host's: " + message;
    }
    if (lower.contains("plaintext connection") || lower.contains("unrecognized ssl message")) {
      return "the peer does not speak TLS";
    }
    if (lower.contains("alert: certificate_unknown") || lower.contains("alert: unknown_ca")) {
      return "the peer does not trust this side's certificate: it wants that of its authority"
          + " ('outboard cert' says which file), or the fingerprint in the URI";
    }
    if (lower.contains("certificate_required") || lower.contains("empty client certificate")) {
      return "clients need a certificate here; --cert and --key name one";
    }
    return null;
  }
}
