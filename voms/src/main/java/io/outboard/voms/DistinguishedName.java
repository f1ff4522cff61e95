// SPDX-License-Identifier: Apache-2.0
package io.outboard.voms;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outboard.identity.oidc.RefusedTokenException;
import java.util.Map;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.ASN1String;
import org.bouncycastle.asn1.x500.AttributeTypeAndValue;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.style.BCStyle;

/**
 * Names of grids, as accounting writes them: {@code /DC=org/DC=example/CN=Alice}. A slash, a
 * backslash and all that is not ASCII's in a value are {@code \xHH}, a byte of UTF-8 each, so that
 * no two names are written alike.
 */
final class DistinguishedName {
  /** Those that OpenSSL writes so; others are written as numbers. */
  private static final Map<ASN1ObjectIdentifier, String> TYPES =
      Map.of(
          BCStyle.C, "C",
          BCStyle.CN, "CN",
          BCStyle.DC, "DC",
          BCStyle.EmailAddress, "emailAddress",
          BCStyle.L, "L",
          BCStyle.O, "O",
          BCStyle.OU, "OU",
          BCStyle.SERIALNUMBER, "serialNumber",
          BCStyle.ST, "ST",
          BCStyle.UID, "UID");

  private DistinguishedName() {}

  /**
   * Writes one.
   *
   * @throws RefusedTokenException if a part of it has several values, or none that is a text
   */
  static String text(X500Principal name) throws RefusedTokenException {
    StringBuilder text = new StringBuilder();
    for (RDN part : X500Name.getInstance(name.getEncoded()).getRDNs()) {
      if (part.isMultiValued()) {
        throw new RefusedTokenException("a part of a name has several values");
      }
      AttributeTypeAndValue only = part.getFirst();
      text.append('/').append(TYPES.getOrDefault(only.getType(), only.getType().getId()));
      text.append('=').append(escaped(value(only.getValue())));
    }
    return text.toString();
  }

  private static String value(ASN1Encodable value) throws RefusedTokenException {
    if (value instanceof ASN1String text) {
      return text.getString();
    }
    throw new RefusedTokenException("a part of a name is no text");
  }

  private static String escaped(String value) {
    StringBuilder text = new StringBuilder();
    for (byte one : value.getBytes(UTF_8)) {
      if (one >= ' ' && one < '\u007f' && one != '/' && one != '\\') {
        text.append((char) one);
      } else {
        text.append("\\x%02X".formatted(one));
      }
    }
    return text.toString();
  }
}
