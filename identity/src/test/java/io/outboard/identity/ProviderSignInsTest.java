// SPDX-License-Identifier: Apache-2.0
package io.outboard.identity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.api.json.Json;
import io.outboard.api.operation.SignIns;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A code of a provider's becomes a token, with the secret of the page that began. */
final class ProviderSignInsTest {
  private static final SignIns.Code CODE =
      new SignIns.Code("the code", "the verifier", "http://127.0.0.1:1/console/signed-in.html");

  private final Map<String, String> asked = new ConcurrentHashMap<>();
  private TestProvider provider;
  private ProviderSignIns signIns;

  @BeforeEach
  void open() throws IOException {
    provider = new TestProvider();
    says("authorization_endpoint", provider.issuer() + "/authorize");
    answers(200, Map.of("access_token", "the.token", "token_type", "Bearer"));
    signIns =
        new ProviderSignIns(
            IdentityFile.parse(
                """
                [provider people]
                issuer = %s
                audience = outboard
                console = outboard-console
                scope = openid gpu

                [provider machines]
                issuer = http://127.0.0.1:1
                audience = outboard
                """
                    .formatted(provider.issuer())));
  }

  @AfterEach
  void close() {
    provider.close();
  }

  private void says(String name, String address) {
    Map<String, Object> metadata = provider.metadata();
    metadata.put(name, address);
    provider.has(
        "/.well-known/openid-configuration",
        _ -> new TestProvider.Answer(200, Json.write(metadata)));
  }

  private void answers(int status, Map<String, Object> fields) {
    provider.has(
        "/token",
        form -> {
          asked.putAll(form);
          return new TestProvider.Answer(status, Json.write(fields));
        });
  }

  @Test
  void theProvidersThatKnowTheConsoleAreOffered() throws IOException {
    assertEquals(List.of("people"), signIns.names());
    SignIns.Entrance entrance = signIns.entrance("people");
    assertEquals(provider.issuer() + "/authorize", entrance.page().toString());
    assertEquals("outboard-console", entrance.client());
    assertEquals("openid gpu", entrance.scope());
    assertThrows(IllegalArgumentException.class, () -> signIns.entrance("machines"));
    assertThrows(IllegalArgumentException.class, () -> signIns.token("machines", CODE));
  }

  @Test
  void aCodeIsExchangedWithItsVerifier() throws IOException {
    assertEquals("the.token", signIns.token("people", CODE));
    assertEquals(
        Map.of(
            "grant_type", "authorization_code",
            "client_id", "outboard-console",
            "code", "the code",
            "code_verifier", "the verifier",
            "redirect_uri", CODE.back()),
        asked);
  }

  @Test
  void aRefusalIsSaidAndNoTokenIsMadeUp() {
    answers(400, Map.of("error", "invalid_grant"));
    IOException refused = assertThrows(IOException.class, () -> signIns.token("people", CODE));
    assertTrue(refused.getMessage().contains("invalid_grant"), refused::getMessage);
    answers(200, Map.of("access_token", "a token\r\nX: y"));
    assertThrows(IOException.class, () -> signIns.token("people", CODE));
    answers(200, Map.of("token_type", "Bearer"));
    assertThrows(IOException.class, () -> signIns.token("people", CODE));
  }

  @Test
  void aPageOnAnotherServerIsNone() {
    says("authorization_endpoint", "https://elsewhere.example/authorize");
    assertThrows(IOException.class, () -> signIns.entrance("people"));
  }
}
