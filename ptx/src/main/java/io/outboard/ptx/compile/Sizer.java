// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.compile;

import io.outboard.ptx.emit.Asm;
import io.outboard.ptx.emit.InstructionEmitter;
import io.outboard.ptx.emit.Unsupported;
import io.outboard.ptx.emit.Values;
import io.outboard.ptx.model.Instruction;
import io.outboard.ptx.model.Register;
import io.outboard.ptx.model.Variable;
import java.util.function.ToLongFunction;

/** Counts the bytecode of instructions, by writing it to nowhere. */
final class Sizer {
  private final Asm asm = new Asm(null);
  private final InstructionEmitter emitter;

  Sizer(ToLongFunction<Variable> addresses, Register carry) {
    emitter = new InstructionEmitter(new Values(asm, _ -> 300, addresses), carry);
  }

  /** The size of {@code i}, from above; throws {@link Unsupported}. */
  int bytes(Instruction i) {
    int before = asm.bytes();
    emitter.emit(i);
    return asm.bytes() - before;
  }
}
