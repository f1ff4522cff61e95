// SPDX-License-Identifier: Apache-2.0
package io.outboard.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Locale;
import org.junit.jupiter.api.Test;

class TokenTest {
  private static final String DIGITS = "0123456789abcdef".repeat(4);
  private final Bytes client = Bytes.random(32);
  private final Bytes server = Bytes.random(32);

  @Test
  void bothSidesComputeTheSameProofs() {
    Token ours = Token.random();
    Token theirs = Token.parse(" " + ours.digits().toUpperCase(Locale.ROOT) + "\n");
    assertEquals(ours.clientProof(client, server), theirs.clientProof(client, server));
    assertEquals(ours.serverProof(server, client), theirs.serverProof(server, client));
  }

  @Test
  void aProofHoldsForOneTokenOneRoleAndOneGreeting() {
    Token token = Token.random();
    Bytes proof = token.clientProof(client, server);
    assertNotEquals(proof, Token.random().clientProof(client, server));
    assertNotEquals(proof, token.serverProof(client, server));
    assertNotEquals(proof, token.clientProof(client, Bytes.random(32)));
    assertNotEquals(proof, token.clientProof(Bytes.random(32), server));
  }

  @Test
  void theProofIsTheDocumentedOne() {
    // (printf "outboard client"; head -c 64 /dev/zero)
    //   | openssl dgst -sha256 -mac HMAC -macopt key:0123456789abcdef0123…
    Token token = Token.parse(DIGITS);
    assertEquals(
        "b311dcf0913d641cf6d9ae3b185e249a82bf4b7ca7f4a748fa510d4cbd381a9e",
        token.clientProof(Bytes.zero(32), Bytes.zero(32)).hex());
  }

  @Test
  void aTokenHas64Digits() {
    assertEquals(64, Token.random().digits().length());
    for (String wrong : new String[] {"", "secret", "0".repeat(63), "g".repeat(64)}) {
      var error = assertThrows(IllegalArgumentException.class, () -> Token.parse(wrong));
      assertFalse(error.getMessage().contains("secret"));
    }
  }

  @Test
  void aTokenDoesNotShowItself() {
    Token token = Token.random();
    assertFalse(token.toString().contains(token.digits()));
  }
}
