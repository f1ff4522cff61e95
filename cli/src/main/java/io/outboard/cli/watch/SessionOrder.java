// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.watch;

import java.util.Arrays;
import java.util.Optional;

/** By what {@code top} sorts sessions; a key of the same first letter chooses it. */
enum SessionOrder {
  calls,
  bytes,
  latency,
  tenant,
  program;

  /** The one of a key. */
  static Optional<SessionOrder> of(int key) {
    return Arrays.stream(values()).filter(order -> order.name().charAt(0) == key).findFirst();
  }
}
