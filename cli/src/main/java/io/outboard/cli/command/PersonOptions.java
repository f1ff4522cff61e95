// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.command;

import picocli.CommandLine.Option;

/** A person as accounting elsewhere knows them; mixed into commands. */
public final class PersonOptions {
  @Option(
      names = "--user",
      paramLabel = "NAME",
      description = "For accounting: the user's global name, as a certificate's subject.")
  private String user = "";

  @Option(
      names = "--fqan",
      paramLabel = "FQAN",
      description = "For accounting: the user's virtual organisation, with group and role.")
  private String fqan = "";

  /** The global name; empty for none. */
  public String user() {
    return user;
  }

  /** Virtual organisation, group and role; empty for none. */
  public String fqan() {
    return fqan;
  }
}
