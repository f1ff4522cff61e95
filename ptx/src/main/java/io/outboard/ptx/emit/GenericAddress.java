// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.emit;

import io.outboard.ptx.host.Space;
import io.outboard.ptx.run.Windows;

/** Generic addresses: device memory as it is, the other spaces in windows above it. */
final class GenericAddress {
  private GenericAddress() {}

  /** The offset of a generic address from an address in {@code space}. */
  static long window(Space space) {
    return switch (space) {
      case SHARED -> Windows.SHARED;
      case LOCAL -> Windows.LOCAL;
      case PARAM -> Windows.PARAMETER;
      default -> 0;
    };
  }

  static long of(Space space, long address) {
    return window(space) + address;
  }
}
