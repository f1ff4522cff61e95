// SPDX-License-Identifier: Apache-2.0
package io.outboard.identity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class IdentityFileTest {
  private static final String PROVIDER =
      """
      [provider people]
      issuer = https://aai.example.org/realms/one
      audience = outboard-broker, another
      """;

  private static final String RULE =
      """
      # members

      [rule members]
      from = people
      claim.groups = gpu
      tenant = gpu
      role = user
      """;

  @Test
  void providersAndRulesAreRead() {
    IdentityFile file = IdentityFile.parse(PROVIDER + RULE);
    assertEquals("https://aai.example.org/realms/one", file.providers().getFirst().issuer());
    assertEquals(2, file.providers().getFirst().audiences().size());
    assertEquals("members", file.rules().all().getFirst().name());
  }

  @Test
  void anEmptyFileGrantsNothing() {
    assertEquals(0, IdentityFile.parse("# nobody\n").rules().all().size());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "from = people|from = peolpe|is a provider above it",
        "audience = outboard-broker, another|skew = 5|it wants 'audience'",
        "https://|http://|an address is https",
        "https://|ftp://|an address is https",
        "https://|https://me:secret@|an address is https",
        "issuer = |algorithms = none, RS256~issuer = |algorithms are of",
        "issuer = |algorithms = HS256~issuer = |algorithms are of",
        "issuer = |skew = 301~issuer = |skew is 0 to 300",
        "issuer = |skew = x~issuer = |a number of seconds",
        "issuer = |colour = red~issuer = |a provider has no 'colour'",
        "issuer = |issuer = https://x~issuer = |is there twice",
        "role = user|role = operator|not operator",
        "role = user|role = root|a role is reader",
        "tenant = gpu|tenant|line 9 is no",
        "[rule members]|[rules members]|of kinds",
        "[rule members]|[rule]|line 6 is no",
        "[provider people]|[provider keystone]|another one's",
      })
  void whatIsWrongIsSaid(String text, String wrong, String told) {
    String whole = (PROVIDER + RULE).replace(text, wrong.replace("~", "\n"));
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> IdentityFile.parse(whole));
    assertTrue(refused.getMessage().contains(told), refused.getMessage());
  }

  @Test
  void aNameIsSomebodysAlone() {
    for (String twice : new String[] {PROVIDER, RULE}) {
      assertThrows(
          IllegalArgumentException.class, () -> IdentityFile.parse(PROVIDER + RULE + twice));
    }
    assertThrows(
        IllegalArgumentException.class,
        () -> IdentityFile.parse(PROVIDER + PROVIDER.replace("people", "others")));
  }
}
