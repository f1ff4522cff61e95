// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.health;

import java.util.Map;
import java.util.Optional;

/**
 * Errors that NVIDIA's driver numbers (NVIDIA, "Xid Errors"). Most of them are a program's, which
 * must not be able to take a device away from others; these are the device's.
 */
final class Xid {
  private static final Map<Long, String> FAILURES =
      Map.of(
          48L, "uncorrectable error of its memory",
          62L, "its micro-controller has halted",
          64L, "rows of its memory could not be remapped",
          79L, "fallen off the bus",
          95L, "uncontained error of its memory",
          119L, "its system processor does not answer",
          120L, "its system processor has failed",
          140L, "unrecovered error of its memory");

  private Xid() {}

  /** The failure that a number stands for, if it is one. */
  static Optional<String> failure(long number) {
    return Optional.ofNullable(FAILURES.get(number)).map(what -> "Xid " + number + ", " + what);
  }
}
