// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.compile;

import io.outboard.ptx.emit.Asm;
import io.outboard.ptx.model.Register;
import java.lang.classfile.TypeKind;
import java.util.HashMap;
import java.util.Map;

/** The places of registers in the part of a thread that lives across cuts. */
final class FrameLayout {
  private final Map<Register, Integer> slots = new HashMap<>();
  private int ints;
  private int longs;

  /** {@code mailbox} is the number of ints before those of registers. */
  FrameLayout(int mailbox) {
    ints = mailbox;
  }

  /** Whether {@code register} is kept among the longs. */
  static boolean wide(Register register) {
    return Asm.kind(register.type()).slotSize() == 2;
  }

  /** The place of {@code register} among the ints or longs; made on first use. */
  int slot(Register register) {
    return slots.computeIfAbsent(register, r -> wide(r) ? longs++ : ints++);
  }

  int ints() {
    return ints;
  }

  int longs() {
    return longs;
  }

  /** The kind in which a register lies in its frame. */
  static TypeKind kept(Register register) {
    return wide(register) ? TypeKind.LONG : TypeKind.INT;
  }
}
