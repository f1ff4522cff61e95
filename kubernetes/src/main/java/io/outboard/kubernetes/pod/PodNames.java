// SPDX-License-Identifier: Apache-2.0
package io.outboard.kubernetes.pod;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.function.Supplier;

/** The names of pods' leases, which nobody can have taken before. */
public final class PodNames implements Supplier<String> {
  private static final int BYTES = 8;

  private final SecureRandom random = new SecureRandom();

  @Override
  public String get() {
    byte[] some = new byte[BYTES];
    random.nextBytes(some);
    return "pod-" + HexFormat.of().formatHex(some);
  }
}
