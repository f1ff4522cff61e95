// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.run;

import io.outboard.ptx.host.PtxTrap;
import java.util.OptionalLong;

/** Carries a trap out of generated code, to where kernel, block and thread are known. */
final class Fault extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final PtxTrap.Kind kind;
  private final OptionalLong address;

  Fault(PtxTrap.Kind kind, OptionalLong address, String message) {
    super(message, null, false, false);
    this.kind = kind;
    this.address = address;
  }

  /** An access of {@code bytes} bytes at {@code address} that no memory could serve. */
  static Fault access(long address, int bytes) {
    boolean misaligned = (address & bytes - 1) != 0;
    return new Fault(
        misaligned ? PtxTrap.Kind.MISALIGNED_ADDRESS : PtxTrap.Kind.ILLEGAL_ADDRESS,
        OptionalLong.of(address),
        (misaligned ? "misaligned" : "illegal")
            + " address 0x"
            + Long.toHexString(address)
            + " of "
            + bytes
            + " bytes");
  }

  PtxTrap.Kind kind() {
    return kind;
  }

  OptionalLong address() {
    return address;
  }
}
