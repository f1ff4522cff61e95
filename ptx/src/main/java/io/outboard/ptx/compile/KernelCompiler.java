// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.compile;

import io.outboard.ptx.emit.Asm;
import io.outboard.ptx.emit.Unsupported;
import io.outboard.ptx.flow.Block;
import io.outboard.ptx.flow.ControlFlow;
import io.outboard.ptx.flow.Effects;
import io.outboard.ptx.flow.Entries;
import io.outboard.ptx.flow.Flattener;
import io.outboard.ptx.flow.Liveness;
import io.outboard.ptx.flow.LoopCheck;
import io.outboard.ptx.flow.Region;
import io.outboard.ptx.flow.Regions;
import io.outboard.ptx.host.PtxException;
import io.outboard.ptx.host.PtxMissing;
import io.outboard.ptx.model.Function;
import io.outboard.ptx.model.Program;
import io.outboard.ptx.model.Register;
import io.outboard.ptx.model.Type;
import io.outboard.ptx.model.Variable;
import io.outboard.ptx.run.BlockContext;
import io.outboard.ptx.run.Code;
import io.outboard.ptx.run.CompiledKernel;
import io.outboard.ptx.run.Cut;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/** Compiles one kernel to a class of region methods. */
public final class KernelCompiler {
  /** HotSpot compiles no method of 8,000 bytes or more (its flag HugeMethodLimit). */
  private static final int HUGE = 7_900;

  private static final ClassDesc NAME = ClassDesc.of("io.outboard.ptx.run.Kernel");
  private static final MethodTypeDesc REGION =
      MethodTypeDesc.of(
          ConstantDescs.CD_void,
          Asm.describe(BlockContext.class),
          ConstantDescs.CD_int,
          ConstantDescs.CD_int);
  private static final MethodTypeDesc RUN =
      MethodTypeDesc.of(
          ConstantDescs.CD_void,
          ConstantDescs.CD_int,
          Asm.describe(BlockContext.class),
          ConstantDescs.CD_int,
          ConstantDescs.CD_int);

  private final Function kernel;
  private final Function flat;
  private final List<PtxMissing> missing;
  private final Layout layout;
  private final Register carry = new Register("%cc", Type.U32);
  private List<Block> blocks;
  private Liveness liveness;

  private KernelCompiler(Function kernel, Function flat, Layout layout, List<PtxMissing> missing) {
    this.kernel = kernel;
    this.flat = flat;
    this.layout = layout;
    this.missing = List.copyOf(missing);
  }

  /** Prepares {@code kernel} of {@code program}, which has been checked. */
  public static KernelCompiler of(Program program, Function kernel, Checker checked) {
    List<PtxMissing> missing = checked.missing(kernel);
    if (!missing.isEmpty()) {
      return refused(kernel, missing);
    }
    try {
      Function flat = Flattener.flatten(program, kernel);
      return new KernelCompiler(kernel, flat, new Layout(kernel, flat), missing);
    } catch (Unsupported e) {
      return refused(kernel, List.of(e.missing()));
    }
  }

  /** Has the parameters of {@code kernel}, and nothing that could run. */
  private static KernelCompiler refused(Function kernel, List<PtxMissing> missing) {
    Function nothing = new Function(kernel.name(), true);
    return new KernelCompiler(kernel, nothing, new Layout(kernel, nothing), missing);
  }

  /**
   * The features that the kernel needs and that are not implemented; without any it can be
   * compiled.
   */
  public List<PtxMissing> missing() {
    return missing;
  }

  public Layout layout() {
    return layout;
  }

  /**
   * How many 32-bit registers a thread needs, from what lives at the borders of blocks; 0 where
   * something is {@link #missing}.
   */
  public int registers() {
    if (!missing.isEmpty()) {
      return 0;
    }
    analyse(variable -> 0);
    return liveness.pressure() + 8;
  }

  private void analyse(ToLongFunction<Variable> addresses) {
    Sizer sizer = new Sizer(addresses, carry);
    blocks = ControlFlow.of(flat, sizer::bytes);
    liveness = new Liveness(blocks, new Effects(carry));
  }

  /**
   * Compiles with the variables of device memory at {@code addresses}; throws {@link PtxException}
   * where something is {@link #missing}.
   */
  public CompiledKernel compile(Map<String, Long> addresses) {
    if (!missing.isEmpty()) {
      throw new PtxException(kernel.name() + " needs " + missing.getFirst().what());
    }
    ToLongFunction<Variable> find = layout.addresses(addresses);
    analyse(find);
    for (int limit = 5_000; ; limit /= 2) {
      Attempt attempt = new Attempt(limit, find);
      byte[] bytes = attempt.build();
      if (attempt.largest < HUGE || limit < 200) {
        return attempt.finish(bytes);
      }
    }
  }

  /** One way to cut the kernel into methods; another follows if a method is too large. */
  private final class Attempt {
    private final List<Region> regions;
    private final LoopCheck loops = new LoopCheck(blocks);
    private final Entries entries;
    private final FrameLayout frame;
    private final ToLongFunction<Variable> addresses;
    private int largest;

    Attempt(int limit, ToLongFunction<Variable> addresses) {
      this.addresses = addresses;
      this.regions = Regions.of(blocks, limit);
      this.entries = new Entries(blocks, regions, loops);
      this.frame = new FrameLayout(mailbox(entries.cuts()));
      placeLiving();
    }

    private static int mailbox(List<Cut> cuts) {
      if (cuts.stream().anyMatch(cut -> cut.operation().ofMatrices())) {
        return Cut.MATRIX_MAILBOX;
      }
      return cuts.isEmpty() ? 0 : Cut.MAILBOX;
    }

    /** Every register that lives into an entry has its place before code is written. */
    private void placeLiving() {
      for (Entries.Entry entry : entries.all()) {
        entry.block().liveIn().stream().mapToObj(liveness::register).forEach(frame::slot);
      }
    }

    byte[] build() {
      return ClassFile.of(ClassFile.StackMapsOption.GENERATE_STACK_MAPS).build(NAME, this::fill);
    }

    private void fill(ClassBuilder type) {
      type.withSuperclass(Asm.describe(Code.class));
      type.withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SUPER);
      type.withMethodBody(
          ConstantDescs.INIT_NAME, ConstantDescs.MTD_void, ClassFile.ACC_PUBLIC, this::constructor);
      type.withMethodBody("run", RUN, ClassFile.ACC_PROTECTED, this::run);
      for (Region region : regions) {
        type.withMethodBody(name(region), REGION, ClassFile.ACC_STATIC, out -> region(region, out));
      }
    }

    private static String name(Region region) {
      return "region" + region.number();
    }

    private void constructor(CodeBuilder out) {
      out.aload(0);
      out.invokespecial(Asm.describe(Code.class), ConstantDescs.INIT_NAME, ConstantDescs.MTD_void);
      out.return_();
    }

    private void run(CodeBuilder out) {
      List<SwitchCase> cases = new ArrayList<>();
      regions.forEach(region -> cases.add(SwitchCase.of(region.number(), out.newLabel())));
      Label none = out.newLabel();
      out.iload(1);
      out.tableswitch(none, cases);
      for (SwitchCase one : cases) {
        out.labelBinding(one.target());
        out.aload(2);
        out.iload(3);
        out.iload(4);
        out.invokestatic(NAME, name(regions.get(one.caseValue())), REGION);
        out.return_();
      }
      out.labelBinding(none);
      out.return_();
    }

    private void region(Region region, CodeBuilder out) {
      RegionEmitter emitter =
          new RegionEmitter(region, entries, loops, liveness, frame, addresses, carry, out);
      largest = Math.max(largest, emitter.emit());
    }

    CompiledKernel finish(byte[] bytes) {
      List<Integer> methods = new ArrayList<>();
      for (Entries.Entry entry : entries.all()) {
        methods.add(regionOf(entry.block()));
      }
      return new CompiledKernel(
          kernel.name(),
          Code.load(bytes),
          List.copyOf(methods),
          List.copyOf(entries.cuts()),
          entries.simple(),
          frame.ints(),
          frame.longs(),
          layout.sharedBytes(),
          layout.localBytes(),
          layout.parameterBytes());
    }

    private int regionOf(Block block) {
      for (Region region : regions) {
        if (region.contains(block)) {
          return region.number();
        }
      }
      throw new IllegalStateException("a block without region");
    }
  }
}
