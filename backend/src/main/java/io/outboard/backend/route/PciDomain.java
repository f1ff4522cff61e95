// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.route;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.outboard.backend.system.NativeBuffer;
import io.outboard.wire.Native;
import java.util.function.LongToIntFunction;

/**
 * A PCI address as a program writes it.
 *
 * @param domain its domain, 0 where it has none
 * @param rest bus, device and function
 */
record PciDomain(int domain, String rest) {
  private static final int MOST_TEXT = 32;

  /** Takes a text apart that ends with NUL; one that is no address has the domain 0. */
  static PciDomain of(long name) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; name != 0 && i < MOST_TEXT && Native.getByte(name + i) != 0; i++) {
      text.append((char) Native.getByte(name + i));
    }
    String whole = text.toString();
    int colon = whole.indexOf(':');
    boolean has = colon >= 0 && whole.indexOf(':', colon + 1) >= 0;
    return has && whole.substring(0, colon).matches("\\p{XDigit}{1,7}")
        ? new PciDomain(Integer.parseInt(whole.substring(0, colon), 16), whole.substring(colon + 1))
        : new PciDomain(0, whole);
  }

  /** Calls with the address as the host itself writes it. */
  int withoutDomain(LongToIntFunction call) {
    try (NativeBuffer buffer = new NativeBuffer(2L * MOST_TEXT)) {
      byte[] text = ("0000:" + rest + "\0").getBytes(US_ASCII);
      buffer.put(0, text, 0, text.length);
      return call.applyAsInt(buffer.address());
    }
  }
}
