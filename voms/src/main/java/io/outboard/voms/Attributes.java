// SPDX-License-Identifier: Apache-2.0
package io.outboard.voms;

import io.outboard.identity.oidc.RefusedTokenException;
import io.outboard.lease.account.Fqan;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.italiangrid.voms.VOMSAttribute;

/** The attributes of a virtual organisation that has vouched for them. */
final class Attributes {
  private static final List<String> NOTHING = List.of("/Capability=NULL", "/Role=NULL");

  private final String organisation;
  private final Set<String> names = new LinkedHashSet<>();

  /**
   * Reads those of a certificate that is verified.
   *
   * @throws RefusedTokenException if its server vouches for those of another organisation
   */
  Attributes(VOMSAttribute verified) throws RefusedTokenException {
    organisation = verified.getVO();
    for (String text : verified.getFQANs()) {
      String plain = plain(text);
      if (!plain.equals("/" + organisation) && !plain.startsWith("/" + organisation + "/")) {
        throw new RefusedTokenException(
            "a server of %s says what another organisation's members are".formatted(organisation));
      }
      fqan(plain).map(Fqan::text).ifPresent(names::add);
    }
  }

  /** A text that is no name to accounting is none to a rule. */
  private static Optional<Fqan> fqan(String text) {
    try {
      return Optional.of(new Fqan(text));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** Servers write a role and a capability that nobody has. */
  private static String plain(String text) {
    String plain = text;
    for (String suffix : NOTHING) {
      plain = plain.endsWith(suffix) ? plain.substring(0, plain.length() - suffix.length()) : plain;
    }
    return plain;
  }

  String organisation() {
    return organisation;
  }

  /** FQANs, the primary one first. */
  List<String> names() {
    return List.copyOf(names);
  }
}
