// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.identity;

import io.outboard.api.json.Ordered;
import io.outboard.cli.command.Answer;
import io.outboard.cli.command.Output;
import io.outboard.identity.Finding;
import io.outboard.lease.account.Caller;
import io.outboard.lease.account.Standing;
import io.outboard.wire.Printable;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** A token that is to be explained, and the answer. */
public final class Explained {
  private static final int LONGEST = 1 << 20;

  @Mixin private Output output;

  @Parameters(paramLabel = "TOKEN", description = "The token, or - to read it from standard input.")
  private String token;

  /** The token, as it was typed. */
  public String token() throws IOException {
    return token.equals("-") ? read() : token;
  }

  private static String read() throws IOException {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    char[] text = new char[LONGEST];
    int length = 0;
    for (int more = 0; more >= 0 && length < LONGEST; length += Math.max(0, more)) {
      more = in.read(text, length, LONGEST - length);
    }
    return new String(text, 0, length).strip();
  }

  /** Prints what was found; returns the command's status. */
  public int print(Finding finding) {
    output.print(
        Answer.of(
            Ordered.of(
                "granted",
                finding.caller().map(Caller::standing).map(Explained::object).orElse(null),
                "why",
                finding.lines()),
            finding.lines().stream().map(Printable::of).toList()));
    return finding.caller().isPresent() ? 0 : 1;
  }

  private static Map<String, Object> object(Standing standing) {
    return Ordered.of(
        "tenant", standing.tenant(),
        "role", standing.role().label(),
        "user", standing.user(),
        "vo", standing.vo(),
        "fqan", standing.fqanText());
  }
}
