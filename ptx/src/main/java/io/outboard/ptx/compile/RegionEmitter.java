// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.compile;

import static java.lang.classfile.Opcode.*;

import io.outboard.ptx.emit.Asm;
import io.outboard.ptx.emit.InstructionEmitter;
import io.outboard.ptx.emit.Slots;
import io.outboard.ptx.emit.Values;
import io.outboard.ptx.flow.Block;
import io.outboard.ptx.flow.CutPlan;
import io.outboard.ptx.flow.Entries;
import io.outboard.ptx.flow.Liveness;
import io.outboard.ptx.flow.LoopCheck;
import io.outboard.ptx.flow.Region;
import io.outboard.ptx.model.Instruction;
import io.outboard.ptx.model.Operand;
import io.outboard.ptx.model.Register;
import io.outboard.ptx.model.Type;
import io.outboard.ptx.model.Variable;
import io.outboard.ptx.run.BlockContext;
import io.outboard.ptx.run.Cut;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.SwitchCase;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * Writes the method of one region: a loop over threads, in it a switch to the entry at which the
 * thread is, the blocks, and for each way out the saving of what lives on.
 */
final class RegionEmitter {
  /** How many jumps backwards a thread takes in a loop that may wait for another thread. */
  private static final int PATIENCE = 64;

  private static final String REFUEL = "(" + BlockContext.class.descriptorString() + ")I";

  private final Region region;
  private final Entries entries;
  private final LoopCheck loops;
  private final Liveness liveness;
  private final FrameLayout frame;
  private final Asm asm;
  private final CodeBuilder out;
  private final Values values;
  private final InstructionEmitter instructions;
  private final boolean simple;
  private final Map<Register, Integer> locals = new HashMap<>();
  private final Map<Block, Label> labels = new HashMap<>();
  private final Map<Block, Label> exits = new LinkedHashMap<>();
  private final BitSet written = new BitSet();
  private Label nextThread;
  private Label exited;

  RegionEmitter(
      Region region,
      Entries entries,
      LoopCheck loops,
      Liveness liveness,
      FrameLayout frame,
      ToLongFunction<Variable> addresses,
      Register carry,
      CodeBuilder out) {
    this.region = region;
    this.entries = entries;
    this.loops = loops;
    this.liveness = liveness;
    this.frame = frame;
    this.out = out;
    this.asm = new Asm(out);
    this.values = new Values(asm, this::local, addresses);
    this.instructions = new InstructionEmitter(values, carry);
    this.simple = entries.simple();
  }

  /** Writes the method; returns its size in bytes, from above. */
  int emit() {
    region.blocks().forEach(block -> labels.put(block, out.newLabel()));
    collectWritten();
    nextThread = out.newLabel();
    exited = out.newLabel();
    Label loop = out.newLabel();
    Label end = out.newLabel();
    prologue();
    clearLocals();
    asm.bind(loop);
    asm.load(TypeKind.INT, Slots.THREAD);
    asm.load(TypeKind.INT, Slots.HIGH);
    asm.branch(IF_ICMPGE, end);
    beginThread();
    dispatch();
    region.blocks().forEach(this::block);
    finish(loop);
    asm.bind(end);
    out.return_();
    return asm.bytes();
  }

  /** Results of a cut are written where threads enter after it. */
  private void collectWritten() {
    region.blocks().forEach(block -> written.or(liveness.written(block)));
    for (Entries.Entry entry : entries.all()) {
      if (entry.cut() != null && region.contains(entry.block())) {
        written.or(liveness.written(entry.cut()));
      }
    }
  }

  private void field(String name, Class<?> type, int slot) {
    asm.load(TypeKind.REFERENCE, Slots.CONTEXT);
    asm.field(BlockContext.class, name, type);
    asm.store(TypeKind.from(type), slot);
  }

  private void prologue() {
    for (int slot = Slots.THREAD; slot < Slots.FREE; slot++) {
      boolean array = slot >= Slots.SHARED && slot <= Slots.STATES;
      out.allocateLocal(array ? TypeKind.REFERENCE : TypeKind.INT);
    }
    field("shared", byte[].class, Slots.SHARED);
    field("ints", int[].class, Slots.INTS);
    field("longs", long[].class, Slots.LONGS);
    field("states", int[].class, Slots.STATES);
    asm.load(TypeKind.INT, Slots.LOW);
    asm.store(TypeKind.INT, Slots.THREAD);
  }

  private int local(Register register) {
    return locals.computeIfAbsent(register, r -> asm.temporary(Asm.kind(r.type())));
  }

  /** The verifier wants every local set on every way; real programs set theirs before use. */
  private void clearLocals() {
    BitSet live = new BitSet();
    region.blocks().forEach(block -> live.or(block.liveIn()));
    for (int r = live.nextSetBit(0); r >= 0; r = live.nextSetBit(r + 1)) {
      Register register = liveness.register(r);
      values.push(new Operand.Whole(0), zeroType(register));
      asm.store(Asm.kind(register.type()), local(register));
    }
  }

  private static Type zeroType(Register register) {
    return switch (Asm.kind(register.type())) {
      case FLOAT -> Type.F32;
      case DOUBLE -> Type.F64;
      case LONG -> Type.B64;
      default -> Type.B32;
    };
  }

  private void beginThread() {
    asm.load(TypeKind.REFERENCE, Slots.CONTEXT);
    asm.load(TypeKind.INT, Slots.THREAD);
    asm.putField(BlockContext.class, "thread", int.class);
    threadTimes(frame.ints(), Slots.INT_BASE);
    threadTimes(frame.longs(), Slots.LONG_BASE);
    boolean yielding = region.blocks().stream().anyMatch(this::mayYield);
    asm.constant(yielding ? PATIENCE : BlockContext.FUEL);
    asm.store(TypeKind.INT, Slots.FUEL);
  }

  private boolean mayYield(Block block) {
    return block.successors().stream().anyMatch(next -> loops.yields(block, next));
  }

  private void threadTimes(int count, int slot) {
    asm.load(TypeKind.INT, Slots.THREAD);
    asm.constant(count);
    asm.operator(IMUL);
    asm.store(TypeKind.INT, slot);
  }

  private void dispatch() {
    if (simple) {
      asm.branch(GOTO, labels.get(entries.all().getFirst().block()));
      return;
    }
    Map<Integer, Label> cases = new LinkedHashMap<>();
    for (int i = 0; i < entries.all().size(); i++) {
      if (region.contains(entries.all().get(i).block())) {
        cases.put(i, out.newLabel());
      }
    }
    asm.load(TypeKind.REFERENCE, Slots.STATES);
    asm.load(TypeKind.INT, Slots.THREAD);
    asm.arrayLoad(TypeKind.INT);
    List<SwitchCase> table = new ArrayList<>();
    cases.forEach((number, label) -> table.add(SwitchCase.of(number, label)));
    asm.select(nextThread, table);
    cases.forEach(this::enter);
  }

  private void enter(int number, Label label) {
    Entries.Entry entry = entries.all().get(number);
    asm.bind(label);
    BitSet loaded = (BitSet) entry.block().liveIn().clone();
    List<CutPlan.Item> results =
        entry.cut() == null ? List.of() : entries.plan(entry.cut()).results();
    for (CutPlan.Item item : results) {
      if (item.operand() instanceof Register register) {
        loaded.clear(liveness.number(register));
      }
    }
    for (int r = loaded.nextSetBit(0); r >= 0; r = loaded.nextSetBit(r + 1)) {
      restore(liveness.register(r));
    }
    for (CutPlan.Item item : results) {
      pushInt(item.slot());
      values.pop(item.operand(), item.type());
    }
    asm.branch(GOTO, labels.get(entry.block()));
  }

  private void index(int base, int offset) {
    asm.load(TypeKind.INT, base);
    asm.constant(offset);
    asm.operator(IADD);
  }

  private void pushInt(int slot) {
    asm.load(TypeKind.REFERENCE, Slots.INTS);
    index(Slots.INT_BASE, slot);
    asm.arrayLoad(TypeKind.INT);
  }

  private void pushPlace(Register register) {
    boolean wide = FrameLayout.wide(register);
    asm.load(TypeKind.REFERENCE, wide ? Slots.LONGS : Slots.INTS);
    index(wide ? Slots.LONG_BASE : Slots.INT_BASE, frame.slot(register));
  }

  private void restore(Register register) {
    pushPlace(register);
    asm.arrayLoad(FrameLayout.kept(register));
    switch (Asm.kind(register.type())) {
      case FLOAT -> asm.call(Float.class, "intBitsToFloat", "(I)F");
      case DOUBLE -> asm.call(Double.class, "longBitsToDouble", "(J)D");
      default -> {}
    }
    asm.store(Asm.kind(register.type()), local(register));
  }

  private void save(Register register) {
    pushPlace(register);
    asm.load(Asm.kind(register.type()), local(register));
    switch (Asm.kind(register.type())) {
      case FLOAT -> asm.call(Float.class, "floatToRawIntBits", "(F)I");
      case DOUBLE -> asm.call(Double.class, "doubleToRawLongBits", "(D)J");
      default -> {}
    }
    asm.arrayStore(FrameLayout.kept(register));
  }

  /** Saves the changed registers; all others are still in the frame. */
  private void save(BitSet live) {
    BitSet changed = (BitSet) live.clone();
    changed.and(written);
    for (int r = changed.nextSetBit(0); r >= 0; r = changed.nextSetBit(r + 1)) {
      save(liveness.register(r));
    }
  }

  private void block(Block block) {
    asm.bind(labels.get(block));
    block.body().forEach(instructions::emit);
    Instruction last = block.last();
    if (last == null) {
      go(block, block.following());
    } else if (block.waits()) {
      await(block);
    } else {
      leave(block, last);
    }
  }

  private void leave(Block block, Instruction last) {
    switch (last.root()) {
      case "bra" -> branch(block, last);
      case "brx" -> branchByTable(block, last);
      default -> stop(block, last);
    }
  }

  private void stop(Block block, Instruction last) {
    Label skip = out.newLabel();
    if (last.guard() != null) {
      values.push(last.guard(), Type.PRED);
      asm.branch(last.negated() ? IFNE : IFEQ, skip);
    }
    if (last.root().equals("trap")) {
      asm.call(BlockContext.class, "trap", "()Ljava/lang/RuntimeException;");
      out.athrow();
    } else {
      asm.branch(GOTO, exited);
    }
    asm.bind(skip);
    if (last.guard() != null) {
      go(block, block.following());
    }
  }

  private void branch(Block block, Instruction last) {
    Block target = block.targets().getFirst();
    if (last.guard() == null) {
      go(block, target);
      return;
    }
    values.push(last.guard(), Type.PRED);
    if (LoopCheck.backward(block, target)) {
      Label skip = out.newLabel();
      asm.branch(last.negated() ? IFNE : IFEQ, skip);
      go(block, target);
      asm.bind(skip);
    } else {
      asm.branch(last.negated() ? IFEQ : IFNE, way(target));
    }
    go(block, block.following());
  }

  private void branchByTable(Block block, Instruction last) {
    values.push(last.operand(0), Type.U32);
    List<SwitchCase> table = new ArrayList<>();
    for (int i = 0; i < block.targets().size(); i++) {
      table.add(SwitchCase.of(i, way(block.targets().get(i))));
    }
    asm.select(way(block.targets().getFirst()), table);
  }

  /** Goes on at {@code target}, asking first whether to go on where that is a jump backwards. */
  private void go(Block block, Block target) {
    if (LoopCheck.backward(block, target)) {
      countdown(target);
      refuel(block, target);
    }
    int position = region.blocks().indexOf(block) + 1;
    boolean next = position < region.blocks().size() && region.blocks().get(position) == target;
    if (!next || !region.contains(target)) {
      asm.branch(GOTO, way(target));
    }
  }

  /** A loop through several methods, each of which has fuel of its own, asks in every round. */
  private void countdown(Block target) {
    if (region.contains(target)) {
      asm.increment(Slots.FUEL, -1);
      asm.load(TypeKind.INT, Slots.FUEL);
      asm.branch(IFGT, way(target));
    }
  }

  private void refuel(Block block, Block target) {
    asm.load(TypeKind.REFERENCE, Slots.CONTEXT);
    asm.call(BlockContext.class, "refuel", REFUEL);
    asm.store(TypeKind.INT, Slots.FUEL);
    if (loops.yields(block, target)) {
      asm.load(TypeKind.REFERENCE, Slots.CONTEXT);
      asm.constant(1);
      asm.putField(BlockContext.class, "yielded", boolean.class);
      asm.branch(GOTO, exits.computeIfAbsent(target, _ -> out.newLabel()));
    }
  }

  /** The label that leads to {@code target}: the block itself, or the way out of the method. */
  private Label way(Block target) {
    return region.contains(target)
        ? labels.get(target)
        : exits.computeIfAbsent(target, _ -> out.newLabel());
  }

  private void await(Block block) {
    for (CutPlan.Item item : entries.plan(block).deposits()) {
      deposit(item);
    }
    BitSet live = (BitSet) block.following().liveIn().clone();
    for (CutPlan.Item item : entries.plan(block).results()) {
      if (item.operand() instanceof Register register) {
        live.clear(liveness.number(register));
      }
    }
    save(live);
    setState(-2 - entries.cutNumber(block));
  }

  private void deposit(CutPlan.Item item) {
    asm.load(TypeKind.REFERENCE, Slots.INTS);
    index(Slots.INT_BASE, item.slot());
    values.push(item.operand(), item.type());
    if (item.type().bits() == 64) {
      asm.convert(L2I);
      asm.arrayStore(TypeKind.INT);
      depositHigh(item);
    } else {
      asm.arrayStore(TypeKind.INT);
    }
  }

  private void depositHigh(CutPlan.Item item) {
    asm.load(TypeKind.REFERENCE, Slots.INTS);
    index(Slots.INT_BASE, Cut.A_HIGH);
    values.push(item.operand(), item.type());
    asm.constant(32);
    asm.operator(LUSHR);
    asm.convert(L2I);
    asm.arrayStore(TypeKind.INT);
  }

  private void setState(int state) {
    asm.load(TypeKind.REFERENCE, Slots.STATES);
    asm.load(TypeKind.INT, Slots.THREAD);
    asm.constant(state);
    asm.arrayStore(TypeKind.INT);
    asm.branch(GOTO, nextThread);
  }

  private void finish(Label loop) {
    exits.forEach(
        (target, label) -> {
          asm.bind(label);
          save(target.liveIn());
          setState(entries.of(target));
        });
    asm.bind(exited);
    if (!simple) {
      setState(-1);
    }
    asm.bind(nextThread);
    asm.increment(Slots.THREAD, 1);
    asm.branch(GOTO, loop);
  }
}
