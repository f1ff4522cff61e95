// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx;

import io.outboard.ptx.compile.KernelCompiler;
import io.outboard.ptx.host.PtxException;
import io.outboard.ptx.host.PtxLaunch;
import io.outboard.ptx.host.PtxMissing;
import io.outboard.ptx.host.PtxParameter;
import io.outboard.ptx.host.PtxTrap;
import io.outboard.ptx.model.Function;
import io.outboard.ptx.run.CompiledKernel;
import io.outboard.ptx.run.GridRun;
import java.util.List;

/** A kernel of a module. Safe for use by several threads. */
public final class PtxKernel {
  private final PtxModule module;
  private final Function function;
  private final KernelCompiler compiler;
  private CompiledKernel compiled;
  private int registers;

  PtxKernel(PtxModule module, Function function, KernelCompiler compiler) {
    this.module = module;
    this.function = function;
    this.compiler = compiler;
  }

  public String name() {
    return function.name();
  }

  /**
   * The features that the kernel needs and that are not implemented here, in the order of the text;
   * without any it can be launched. Else its parameters are known, and its other figures are 0.
   */
  public List<PtxMissing> missing() {
    return compiler.missing();
  }

  /** The parameters in order. */
  public List<PtxParameter> parameters() {
    return compiler.layout().parameters();
  }

  /** The size of the parameter buffer. */
  public int parameterBytes() {
    return compiler.layout().parameterBytes();
  }

  /** The static shared memory of a block, in bytes. */
  public int sharedBytes() {
    return compiler.layout().sharedBytes();
  }

  /** The constant memory of its module, in bytes. */
  public int constantBytes() {
    return module.constantBytes();
  }

  /** The local memory of a thread, in bytes. */
  public int localBytes() {
    return compiler.layout().localBytes();
  }

  /** The product of {@code .maxntid} or {@code .reqntid}, or 1024. */
  public int maxThreadsPerBlock() {
    return function.maxThreads();
  }

  /** How many 32-bit registers a thread uses; an estimate, from what is alive at once. */
  public synchronized int registers() {
    if (registers == 0) {
      registers = compiler.registers();
    }
    return registers;
  }

  /** Compiles now what the first launch would compile; throws as {@link #launch} does. */
  public void compile() {
    CompiledKernel unused = compiled();
  }

  private synchronized CompiledKernel compiled() {
    if (compiled == null) {
      compiled = compiler.compile(module.addresses());
    }
    return compiled;
  }

  /**
   * Runs the whole grid; returns when it has run. Throws {@link PtxException} where something is
   * {@link #missing}.
   */
  public void launch(PtxLaunch launch) throws PtxTrap {
    long threads = launch.block().count();
    if (threads < 1 || threads > 1024 || launch.grid().count() < 1) {
      throw new IllegalArgumentException("a block has 1 to 1024 threads, a grid a block or more");
    }
    if (launch.parameters().byteSize() < parameterBytes()) {
      throw new IllegalArgumentException(
          name() + " takes " + parameterBytes() + " parameter bytes");
    }
    GridRun.run(compiled(), launch);
  }
}
