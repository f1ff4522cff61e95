// SPDX-License-Identifier: Apache-2.0
package io.outboard.identity.oidc;

import io.outboard.patience.Patience;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/** Verifiers with a clock and times of their own, for tests. */
public final class TestVerifier {
  private TestVerifier() {}

  /** For how long keys are good. */
  public record Times(TokenVerifier.KeyTimes times) {
    private Times(long fresh, long most, long pause) {
      this(
          new TokenVerifier.KeyTimes(
              Duration.ofMillis(fresh), Duration.ofMillis(most), Duration.ofMillis(pause)));
    }
  }

  /** As long as a test goes on, however slow the machine is. */
  public static final Times LONG_LIVED =
      new Times(
          new TokenVerifier.KeyTimes(
              Duration.ofHours(2), Duration.ofHours(1), Duration.ofHours(1)));

  /** Fetched for nearly each token, and never kept for long. */
  public static final Times ALWAYS_FRESH = new Times(2, 1, 1);

  /** Fetched often, and kept for a moment where the provider is down. */
  public static final Times SHORT_LIVED = new Times(50, 300, 1);

  public static TokenVerifier of(Provider provider, InstantSource clock, Times times)
      throws IOException {
    return of(provider, clock, times, Patience.LIMIT);
  }

  /**
   * Makes one.
   *
   * @param limit in which the provider has answered
   */
  public static TokenVerifier of(
      Provider provider, InstantSource clock, Times times, Duration limit) throws IOException {
    return new TokenVerifier(
        provider, new ProviderClient(Optional.empty(), limit), clock, times.times());
  }
}
