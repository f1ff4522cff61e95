// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.graph;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.outboard.cuda.CudaResult;
import io.outboard.cuda.struct.KernelNode;
import io.outboard.cuda.struct.Memcpy3D;
import io.outboard.cuda.struct.MemsetNode;
import io.outboard.ptx.host.Dim3;
import io.outboard.ptx.host.PtxLaunch;
import io.outboard.softgpu.copy.BoxCopy;
import io.outboard.softgpu.copy.FillOperation;
import io.outboard.softgpu.copy.Rectangle;
import io.outboard.softgpu.device.Context;
import io.outboard.softgpu.device.Machine;
import io.outboard.softgpu.device.Operation;
import io.outboard.softgpu.launch.KernelOperation;
import io.outboard.softgpu.launch.LaunchRequest;
import io.outboard.softgpu.launch.LaunchShape;
import io.outboard.softgpu.module.Launchable;
import io.outboard.wire.Native;
import java.lang.foreign.MemorySegment;

/** Makes the work of nodes from the vendor's structures. */
public final class NodeWork {
  private final Machine machine;

  public NodeWork(Machine machine) {
    this.machine = machine;
  }

  /**
   * The outcome.
   *
   * @param result a result code
   * @param operation the work; null if there is none
   */
  public record Made(int result, Operation operation) {
    public static Made of(Operation operation) {
      return new Made(CudaResult.SUCCESS, operation);
    }

    public static Made failed(int result) {
      return new Made(result, null);
    }
  }

  /** A launch. */
  public Made kernel(long launch, long parameters, int parameterBytes) {
    if (launch == 0) {
      return Made.failed(CudaResult.INVALID_VALUE);
    }
    long named = Native.getLong(launch + KernelNode.CONTEXT_VALUE);
    Context context = named == 0 ? machine.usable() : machine.context(named);
    if (context == null) {
      return Made.failed(named == 0 ? machine.refusal() : CudaResult.INVALID_CONTEXT);
    }
    Launchable launchable = machine.handles().get(Native.getLong(launch), Launchable.class);
    context = named == 0 && launchable != null ? launchable.home(context) : context;
    LaunchShape shape = LaunchShape.of(launch + KernelNode.SHAPE);
    LaunchRequest request =
        new LaunchRequest(context, launchable, shape, false, parameters, parameterBytes);
    int result = request.check();
    return result == CudaResult.SUCCESS ? Made.of(request.operation()) : Made.failed(result);
  }

  /** Writes what a launch was made with. */
  public static void describe(KernelOperation kernel, long launch, long parameters, int room) {
    PtxLaunch made = kernel.launch();
    int bytes = kernel.launchable().code().parameterBytes();
    Native.putLong(launch, kernel.launchable().handle());
    put(made.grid(), launch + KernelNode.SHAPE);
    put(made.block(), launch + KernelNode.SHAPE + 3 * Integer.BYTES);
    Native.putInt(launch + KernelNode.SHAPE + 6 * Integer.BYTES, made.dynamicSharedBytes());
    Native.putInt(launch + KernelNode.PARAMETER_BYTES, bytes);
    Native.putLong(launch + KernelNode.CONTEXT_VALUE, 0);
    if (parameters != 0 && bytes <= room) {
      MemorySegment.copy(made.parameters(), 0, Native.MEMORY, parameters, bytes);
    }
  }

  private static void put(Dim3 extent, long address) {
    Native.putInt(address, extent.x());
    Native.putInt(address + 4, extent.y());
    Native.putInt(address + 8, extent.z());
  }

  /** A copy; host memory is shared. */
  public Made copy(long copy) {
    if (copy == 0) {
      return Made.failed(CudaResult.INVALID_VALUE);
    }
    BoxCopy box = BoxCopy.of(copy, machine);
    int result = box.checkShared(machine);
    if (result == CudaResult.SUCCESS && box.isEmpty()) {
      result = CudaResult.INVALID_VALUE;
    }
    return result == CudaResult.SUCCESS ? Made.of(box.operation(machine)) : Made.failed(result);
  }

  public static byte[] copyDescription(long copy) {
    return bytes(copy, Memcpy3D.BYTES);
  }

  /** A fill of device memory. */
  public Made fill(long fill) {
    if (fill == 0) {
      return Made.failed(CudaResult.INVALID_VALUE);
    }
    long destination = Native.getLong(fill);
    int valueBytes = Native.getInt(fill + 20);
    long width = Native.getLong(fill + 24);
    long height = Native.getLong(fill + 32);
    boolean possible = valueBytes == 1 || valueBytes == 2 || valueBytes == 4;
    if (!possible || width <= 0 || height <= 0 || width > Long.MAX_VALUE / valueBytes) {
      return Made.failed(CudaResult.INVALID_VALUE);
    }
    Rectangle shape = new Rectangle(Native.getLong(fill + 8), width * valueBytes, height);
    long target = shape.isPossible() ? machine.resolve(destination, shape.extent()) : 0;
    return target == 0 || destination % valueBytes != 0
        ? Made.failed(CudaResult.INVALID_VALUE)
        : Made.of(new FillOperation(target, shape, Native.getInt(fill + 16), valueBytes));
  }

  public static byte[] fillDescription(long fill) {
    return bytes(fill, MemsetNode.BYTES);
  }

  private static byte[] bytes(long address, int count) {
    return address == 0 ? new byte[0] : Native.MEMORY.asSlice(address, count).toArray(JAVA_BYTE);
  }
}
