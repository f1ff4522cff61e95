// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import java.util.function.BooleanSupplier;

/** Runs what every session needs until it is compiled, while nobody waits for it. */
final class WarmUp {
  private WarmUp() {}

  /** Warms up until done or {@code wanted}. */
  static void run(BooleanSupplier wanted) {
    if (wanted.getAsBoolean()) {
      return;
    }
    java.util.ServiceLoader.load(LibraryService.class).forEach(LibraryService::library);
  }
}
