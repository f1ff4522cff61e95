// SPDX-License-Identifier: Apache-2.0
package io.outboard.identity.oidc;

import io.outboard.identity.oidc.ProviderClient.Told;
import io.outboard.wire.Printable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Signs people in at a provider with a device code (RFC 8628), and out again (RFC 7009). */
public final class DeviceLogin {
  private static final String GRANT = "urn:ietf:params:oauth:grant-type:device_code";
  private static final Duration USUAL_PAUSE = Duration.ofSeconds(5);

  /** By how much the pause grows where the provider says so. */
  private static final Duration SLOWER = Duration.ofSeconds(5);

  private static final Duration MOST_PAUSE = Duration.ofMinutes(1);

  /** Longest time in which somebody has to sign in. */
  private static final Duration MOST_WAIT = Duration.ofMinutes(30);

  /** Questions in a row to which no answer came, after which the provider is lost. */
  private static final int MOST_LOST = 3;

  private final String issuer;
  private final String client;
  private final String scope;
  private final ProviderClient http;
  private final InstantSource clock;
  private final Pause pause;
  private Metadata metadata;

  /** Waits. */
  @FunctionalInterface
  interface Pause {
    void take(Duration time) throws InterruptedException;
  }

  /**
   * Makes one.
   *
   * @param client the id that the provider knows this program by, which has no secret
   * @param scope what is asked for
   */
  public DeviceLogin(String issuer, String client, String scope, ProviderClient http) {
    this(issuer, client, scope, http, InstantSource.system(), Thread::sleep);
  }

  DeviceLogin(
      String issuer,
      String client,
      String scope,
      ProviderClient http,
      InstantSource clock,
      Pause pause) {
    this.issuer = issuer;
    this.client = client;
    this.scope = scope;
    this.http = http;
    this.clock = clock;
    this.pause = pause;
  }

  private URI address(String name) throws IOException {
    return metadata().wanted(name);
  }

  private Metadata metadata() throws IOException {
    if (metadata == null) {
      try {
        metadata = Metadata.of(issuer, http);
      } catch (IllegalArgumentException e) {
        throw new IOException(e.getMessage(), e);
      }
    }
    return metadata;
  }

  /** Asks for a code. */
  public DeviceCode begin() throws IOException {
    URI where = address("device_authorization_endpoint");
    Told told = http.post(where, Map.of("client_id", client, "scope", scope));
    Map<?, ?> fields = told.good();
    URI page = page(wanted(fields, "verification_uri"));
    Duration wait = seconds(fields, "expires_in").orElse(MOST_WAIT);
    return new DeviceCode(
        wanted(fields, "device_code"),
        Printable.of(wanted(fields, "user_code")),
        page,
        fields.get("verification_uri_complete") instanceof String text ? page(text) : page,
        shorter(seconds(fields, "interval").orElse(USUAL_PAUSE), MOST_PAUSE),
        clock.instant().plus(shorter(wait, MOST_WAIT)));
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  /** A page is shown to people, who open it. */
  private static URI page(String text) throws IOException {
    try {
      return WebAddress.parse(text);
    } catch (IllegalArgumentException e) {
      throw new IOException("the provider's page: " + Printable.of(e.getMessage()), e);
    }
  }

  /**
   * Waits until somebody has signed in.
   *
   * @throws IOException if nobody does in time, or it is refused, or the provider is lost
   */
  public Login await(DeviceCode code) throws IOException {
    Duration between = code.pause();
    int lost = 0;
    while (clock.instant().isBefore(code.until())) {
      sleep(between);
      try {
        Told told = http.post(address("token_endpoint"), asking(code));
        if (told.isGood()) {
          return login(told.object(), Optional.empty());
        }
        between = shorter(between.plus(more(told)), MOST_PAUSE);
        lost = 0;
      } catch (RefusedLoginException e) {
        throw e;
      } catch (IOException e) {
        if (++lost == MOST_LOST) {
          throw e;
        }
      }
    }
    throw new IOException("nobody has signed in in time");
  }

  private Map<String, String> asking(DeviceCode code) {
    return Map.of("grant_type", GRANT, "client_id", client, "device_code", code.secret());
  }

  private void sleep(Duration time) throws IOException {
    try {
      pause.take(time);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    }
  }

  /** By how much longer the next pause is, where the provider has us wait. */
  private static Duration more(Told told) throws IOException {
    Object error = told.object().get("error");
    if ("authorization_pending".equals(error)) {
      return Duration.ZERO;
    }
    if ("slow_down".equals(error)) {
      return SLOWER;
    }
    throw told.refused();
  }

  private Login login(Map<?, ?> fields, Optional<String> before) throws IOException {
    String access = CodeLogin.access(fields);
    Optional<String> next =
        fields.get("refresh_token") instanceof String text ? Optional.of(text) : before;
    Instant until = clock.instant().plus(seconds(fields, "expires_in").orElse(Duration.ZERO));
    return new Login(issuer, client, scope, access, until, next);
  }

  /**
   * The next token of somebody who has signed in.
   *
   * @throws IOException if there is none
   */
  public Login refresh(Login login) throws IOException {
    String token =
        login
            .refresh()
            .orElseThrow(() -> new IOException("the login is over, and the provider renews none"));
    Map<String, String> form =
        Map.of("grant_type", "refresh_token", "client_id", client, "refresh_token", token);
    return login(http.post(address("token_endpoint"), form).good(), login.refresh());
  }

  /**
   * Has the provider forget a login.
   *
   * @throws IOException if it does not say that it has
   */
  public void revoke(Login login) throws IOException {
    URI where = address("revocation_endpoint");
    Map<String, String> tokens = new LinkedHashMap<>();
    login.refresh().ifPresent(token -> tokens.put(token, "refresh_token"));
    tokens.put(login.access(), "access_token");
    for (Map.Entry<String, String> token : tokens.entrySet()) {
      Told told =
          http.post(
              where,
              Map.of(
                  "token", token.getKey(),
                  "token_type_hint", token.getValue(),
                  "client_id", client));
      boolean refresh = token.getValue().equals("refresh_token");
      // Many providers take back no access token that is a JWT: who verifies it does not ask them.
      if (!told.isGood() && refresh) {
        throw told.refused();
      }
    }
  }

  static String wanted(Map<?, ?> fields, String name) throws IOException {
    if (fields.get(name) instanceof String text && !text.isEmpty()) {
      return text;
    }
    throw new IOException("the provider's answer has no " + name);
  }

  private static Optional<Duration> seconds(Map<?, ?> fields, String name) {
    return fields.get(name) instanceof Long number && number > 0 && number < Integer.MAX_VALUE
        ? Optional.of(Duration.ofSeconds(number))
        : Optional.empty();
  }
}
