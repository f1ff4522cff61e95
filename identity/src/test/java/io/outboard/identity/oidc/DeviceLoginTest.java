// SPDX-License-Identifier: Apache-2.0
package io.outboard.identity.oidc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.api.json.Ordered;
import io.outboard.identity.TestProvider;
import io.outboard.identity.TestProvider.Answer;
import io.outboard.patience.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DeviceLoginTest {
  private static final Instant NOW = TestProvider.NOW;
  private static final String SECRET = "device-secret";

  private TestProvider provider;
  private ProviderClient client;
  private final List<Duration> pauses = new ArrayList<>();
  private Instant now = NOW;

  @BeforeEach
  void open() throws IOException {
    provider = new TestProvider();
    client = new ProviderClient(Optional.empty(), Patience.LIMIT);
    provider.has("/device", _ -> Answer.of(code()));
  }

  @AfterEach
  void close() {
    client.close();
    provider.close();
  }

  private Map<String, Object> code() {
    return Ordered.of(
        "device_code",
        SECRET,
        "user_code",
        "WDJB-MJHT",
        "verification_uri",
        provider.issuer() + "/page",
        "expires_in",
        600L,
        "interval",
        5L);
  }

  /** Time goes on by pauses alone. */
  private DeviceLogin login() {
    return new DeviceLogin(
        provider.issuer(),
        "outboard-cli",
        "openid",
        client,
        () -> now,
        time -> {
          pauses.add(time);
          now = now.plus(time);
        });
  }

  private static Answer error(String name) {
    return new Answer(400, "{\"error\": \"" + name + "\"}");
  }

  private static Answer tokens(String access, String refresh) {
    return Answer.of(
        Ordered.of(
            "access_token",
            access,
            "token_type",
            "Bearer",
            "expires_in",
            300L,
            "refresh_token",
            refresh));
  }

  private void answers(Answer... inTurn) {
    Deque<Answer> left = new ArrayDeque<>(List.of(inTurn));
    provider.has(
        "/token",
        form -> {
          assertEquals(SECRET, form.get("device_code"));
          assertEquals("outboard-cli", form.get("client_id"));
          return left.size() > 1 ? left.poll() : left.peek();
        });
  }

  @Test
  void somebodySignsInElsewhere() throws IOException {
    answers(error("authorization_pending"), error("slow_down"), tokens("a", "r"));
    DeviceCode code = login().begin();
    assertEquals("WDJB-MJHT", code.user());
    Login login = login().await(code);
    assertEquals("a", login.access());
    assertEquals(Optional.of("r"), login.refresh());
    assertEquals(now.plusSeconds(300), login.until());
    assertEquals(
        List.of(Duration.ofSeconds(5), Duration.ofSeconds(5), Duration.ofSeconds(10)), pauses);
  }

  @Test
  void whoIsRefusedIsTold() throws IOException {
    for (String error : List.of("access_denied", "expired_token", "invalid_grant", "\\u001b[2J")) {
      answers(error(error));
      IOException told =
          assertThrows(IOException.class, () -> login().await(login().begin()), error);
      assertTrue(told.getMessage().contains("refuses"), told.getMessage());
      assertFalse(told.getMessage().contains("\u001b"), told.getMessage());
    }
  }

  @Test
  void nobodyWaitsForEver() throws IOException {
    provider.has(
        "/device",
        _ -> {
          Map<String, Object> code = code();
          code.put("expires_in", 1_000_000L);
          code.put("interval", 1_000_000L);
          return Answer.of(code);
        });
    answers(error("authorization_pending"));
    IOException told = assertThrows(IOException.class, () -> login().await(login().begin()));
    assertTrue(told.getMessage().contains("in time"), told.getMessage());
    assertTrue(Duration.between(NOW, now).compareTo(Duration.ofMinutes(32)) < 0, now::toString);
  }

  @Test
  void aProviderThatIsLostIsAnError() throws IOException {
    DeviceCode code = login().begin();
    answers(new Answer(502, "a page"));
    assertThrows(IOException.class, () -> login().await(code));
    assertEquals(3, pauses.size());
    answers(new Answer(502, ""), error("authorization_pending"), tokens("a", "r"));
    assertEquals("a", login().await(code).access());
  }

  @Test
  void aProviderThatLiesIsNotBelieved() {
    for (String page :
        List.of("javascript:alert(1)", "http://evil.example/", "file:///etc/passwd")) {
      provider.has(
          "/device",
          _ -> {
            Map<String, Object> code = code();
            code.put("verification_uri", page);
            return Answer.of(code);
          });
      assertThrows(IOException.class, () -> login().begin(), page);
    }
    provider.has("/device", _ -> Answer.of(Map.of()));
    assertThrows(IOException.class, () -> login().begin());
    provider.has(
        "/.well-known/openid-configuration",
        _ -> {
          Map<String, Object> all = provider.metadata();
          all.put("device_authorization_endpoint", "https://evil.example/device");
          return Answer.of(all);
        });
    assertThrows(IOException.class, () -> login().begin());
  }

  @Test
  void aTokenIsRenewedAndTakenBack() throws IOException {
    Login before =
        new Login(provider.issuer(), "outboard-cli", "openid", "a1", NOW, Optional.of("r1"));
    List<String> taken = new ArrayList<>();
    provider.has(
        "/token",
        form ->
            "r1".equals(form.get("refresh_token")) ? tokens("a2", "r2") : error("invalid_grant"));
    provider.has(
        "/revoke",
        form -> {
          taken.add(form.get("token"));
          return new Answer(200, "");
        });
    Login next = login().refresh(before);
    assertEquals("a2", next.access());
    assertEquals(Optional.of("r2"), next.refresh());
    assertThrows(IOException.class, () -> login().refresh(next), "it was used already");
    login().revoke(next);
    assertEquals(List.of("r2", "a2"), taken);
  }

  @Test
  void aLoginIsReadByItsUserAlone(@TempDir Path folder) throws IOException {
    LoginFile file = LoginFile.of(Map.of("XDG_CONFIG_HOME", folder.toString()));
    assertEquals(Optional.empty(), file.read());
    Login login = new Login("https://i", "c", "s", "a", NOW, Optional.empty());
    assertTrue(
        file.alone(
            () -> {
              file.write(login);
              return true;
            }));
    assertEquals(Optional.of(login), file.read());
    assertEquals(
        "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file.file())));
    Files.setPosixFilePermissions(file.file(), PosixFilePermissions.fromString("rw-r--r--"));
    assertThrows(IOException.class, file::read);
    file.remove();
    assertEquals(Optional.empty(), file.read());
  }
}
