// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.run;

import io.outboard.ptx.host.Dim3;
import io.outboard.ptx.host.PtxHost;
import io.outboard.ptx.host.PtxLaunch;
import io.outboard.ptx.host.PtxMemory;
import io.outboard.ptx.host.PtxTrap;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.OptionalLong;

/** All that generated code reaches: one block at a time, of one worker. */
public class BlockContext {
  /** State of a thread that has finished; greater states are where it goes on. */
  static final int EXITED = -1;

  /** How many jumps backwards a thread takes before it asks whether to go on. */
  public static final int FUEL = 1 << 20;

  private final MemorySegment memory;
  private final long memoryBase;
  final PtxHost host;
  final byte[] parameters;
  final byte[] shared;
  final byte[] local;
  final int localBytes;
  final int[] ints;
  final long[] longs;
  final int[] states;
  final int threads;
  final int[] tidX;
  final int[] tidY;
  final int[] tidZ;
  final int ntidX;
  final int ntidY;
  final int ntidZ;
  final int nctaidX;
  final int nctaidY;
  final int nctaidZ;
  final int processor;
  final int processors;
  final int dynamicShared;
  final int totalShared;
  final TextureUnit textures = new TextureUnit(this);
  final int workspaceLow;
  final int workspaceHigh;
  int ctaidX;
  int ctaidY;
  int ctaidZ;

  /** The thread that runs, for messages. */
  int thread;

  /** Whether a thread gave up its turn since this was last cleared. */
  boolean yielded;

  static BlockContext of(CompiledKernel kernel, PtxLaunch launch, int processor) {
    return launch.common().equals(PtxMemory.NONE)
        ? new BlockContext(kernel, launch, processor)
        : new CommonContext(kernel, launch, processor);
  }

  BlockContext(CompiledKernel kernel, PtxLaunch launch, int processor) {
    Dim3 block = launch.block();
    Dim3 grid = launch.grid();
    this.memory = launch.memory().bytes();
    this.memoryBase = launch.memory().base();
    this.host = launch.host();
    this.parameters = new byte[kernel.parameterBytes()];
    MemorySegment.copy(
        launch.parameters(), ValueLayout.JAVA_BYTE, 0, parameters, 0, parameters.length);
    this.dynamicShared = launch.dynamicSharedBytes();
    this.totalShared = kernel.sharedBytes(dynamicShared);
    this.shared = new byte[totalShared];
    this.workspaceLow = (int) launch.workspace();
    this.workspaceHigh = (int) (launch.workspace() >>> 32);
    this.threads = (int) block.count();
    this.localBytes = kernel.localBytes();
    this.local = new byte[Math.multiplyExact(localBytes, threads)];
    this.ints = new int[kernel.ints() * threads];
    this.longs = new long[kernel.longs() * threads];
    this.states = new int[threads];
    this.tidX = new int[threads];
    this.tidY = new int[threads];
    this.tidZ = new int[threads];
    this.ntidX = block.x();
    this.ntidY = block.y();
    this.ntidZ = block.z();
    this.nctaidX = grid.x();
    this.nctaidY = grid.y();
    this.nctaidZ = grid.z();
    this.processor = processor;
    this.processors = launch.host().parallelism();
    numberThreads();
  }

  /** The memory in which an address would lie. */
  MemorySegment memory(long address) {
    return memory;
  }

  /** Its place in that memory. */
  long offset(long address) {
    return address - memoryBase;
  }

  private void numberThreads() {
    int thread = 0;
    for (int z = 0; z < ntidZ; z++) {
      for (int y = 0; y < ntidY; y++) {
        for (int x = 0; x < ntidX; x++) {
          tidX[thread] = x;
          tidY[thread] = y;
          tidZ[thread++] = z;
        }
      }
    }
  }

  /** Turns to block {@code index}, counted along x first. */
  void enter(long index) {
    ctaidX = (int) (index % nctaidX);
    ctaidY = (int) (index / nctaidX % nctaidY);
    ctaidZ = (int) (index / nctaidX / nctaidY);
  }

  /** Where the running thread is, for messages. */
  String place() {
    return "block ("
        + ctaidX
        + ","
        + ctaidY
        + ","
        + ctaidZ
        + "), thread ("
        + tidX[thread]
        + ","
        + tidY[thread]
        + ","
        + tidZ[thread]
        + ")";
  }

  /** Where a thread is, as in the line of a failed assertion. */
  String brackets(int thread) {
    return "block: [%d,%d,%d], thread: [%d,%d,%d]"
        .formatted(ctaidX, ctaidY, ctaidZ, tidX[thread], tidY[thread], tidZ[thread]);
  }

  /** Called where a thread has used its fuel; returns new fuel. */
  public static int refuel(BlockContext context) {
    context.checkCancelled();
    return FUEL;
  }

  void checkCancelled() {
    if (host.cancelled()) {
      throw new Fault(PtxTrap.Kind.CANCELLED, OptionalLong.empty(), "cancelled");
    }
  }

  /** The {@code trap} instruction. */
  public static RuntimeException trap() {
    return new Fault(PtxTrap.Kind.TRAP, OptionalLong.empty(), "trap instruction");
  }

  /** {@code address}, where it is a multiple of {@code bytes}. */
  public static long aligned(long address, int bytes) {
    if ((address & bytes - 1) != 0) {
      throw Fault.access(address, bytes);
    }
    return address;
  }

  public static int laneMaskEQ(int lane) {
    return 1 << lane;
  }

  public static int laneMaskLT(int lane) {
    return (1 << lane) - 1;
  }

  public static int laneMaskLE(int lane) {
    return -1 >>> (31 - lane);
  }

  public static int laneMaskGT(int lane) {
    return ~laneMaskLE(lane);
  }

  public static int laneMaskGE(int lane) {
    return -1 << lane;
  }

  public static int clockLow() {
    return (int) System.nanoTime();
  }

  public static int clockHigh() {
    return (int) (System.nanoTime() >>> 32);
  }
}
