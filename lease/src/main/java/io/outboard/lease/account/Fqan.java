// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.account;

import io.outboard.lease.Parameter;
import java.util.regex.Pattern;

/**
 * A fully qualified attribute name: a virtual organisation, groups in it, and a role there (The
 * VOMS Attribute Certificate Format, 3.4.1), as {@code /vo.example.org/gpu/Role=user}.
 *
 * @param text as accounting writes it
 */
public record Fqan(String text) {
  private static final String NAME = "[A-Za-z0-9_][A-Za-z0-9._-]*";
  private static final Pattern FORM =
      Pattern.compile("(/%1$s)+(/Role=%1$s(/Capability=%1$s)?)?".formatted(NAME));

  /**
   * Checks it.
   *
   * @throws IllegalArgumentException if it is none
   */
  public Fqan {
    Parameter.FQAN.permitted().check("an FQAN", text);
    if (!FORM.matcher(text).matches()) {
      throw new IllegalArgumentException("an FQAN is as /vo/group/Role=user, not '" + text + "'");
    }
  }

  /** The virtual organisation: the first name. */
  public String vo() {
    return vo(text);
  }

  /** The virtual organisation of a text that operators have written; empty where it names none. */
  public static String vo(String text) {
    return text.startsWith("/") ? text.split("/", 3)[1] : "";
  }
}
