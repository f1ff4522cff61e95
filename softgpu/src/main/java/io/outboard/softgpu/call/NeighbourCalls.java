// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.call;

import io.outboard.cuda.CudaNeighbours;
import io.outboard.cuda.CudaResult;
import io.outboard.softgpu.base.CopyKind;
import io.outboard.softgpu.copy.CopyOperation;
import io.outboard.softgpu.device.Context;
import io.outboard.softgpu.device.Machine;
import io.outboard.softgpu.device.Stream;
import io.outboard.softgpu.memory.Allocation;
import io.outboard.softgpu.memory.DeviceMemory;
import io.outboard.softgpu.share.Exchange;
import io.outboard.softgpu.share.ExchangeName;
import io.outboard.softgpu.share.Exports;
import io.outboard.softgpu.share.Imports;
import io.outboard.softgpu.share.SharedMark;
import io.outboard.softgpu.stream.Event;
import io.outboard.wire.Native;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * Other devices and other processes. A kernel reaches the memory of its own device only; copies
 * reach that of all.
 */
public final class NeighbourCalls implements CudaNeighbours {
  /** {@code CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS}, the only flag there is. */
  private static final int LAZY_ENABLE_PEER_ACCESS = 1;

  private final Machine machine;
  private final Exports exports;
  private final Imports imports;

  public NeighbourCalls(Machine machine, Exports exports, Imports imports) {
    this.machine = machine;
    this.exports = exports;
    this.imports = imports;
  }

  @Override
  public int cuCtxEnablePeerAccess(long peer, int flags) {
    int result = check(peer);
    if (result != CudaResult.SUCCESS) {
      return result;
    }
    return flags != 0 ? CudaResult.INVALID_VALUE : CudaResult.PEER_ACCESS_UNSUPPORTED;
  }

  @Override
  public int cuCtxDisablePeerAccess(long peer) {
    int result = check(peer);
    return result != CudaResult.SUCCESS ? result : CudaResult.PEER_ACCESS_NOT_ENABLED;
  }

  private int check(long peer) {
    if (machine.usable() == null) {
      return machine.refusal();
    }
    return machine.handles().get(peer, Context.class) == null
        ? CudaResult.INVALID_CONTEXT
        : CudaResult.SUCCESS;
  }

  @Override
  public int cuMemcpyPeer(
      long destination, long destinationContext, long source, long sourceContext, long bytes) {
    List<Context> concerned = concerned(destinationContext, sourceContext);
    concerned.forEach(Context::awaitWork);
    int result =
        cuMemcpyPeerAsync(destination, destinationContext, source, sourceContext, bytes, 0);
    concerned.forEach(Context::awaitWork);
    return result;
  }

  /** Those whose earlier and later work the copy is in order with: the two, and the current one. */
  private List<Context> concerned(long destination, long source) {
    return Arrays.asList(context(destination), context(source), machine.usable()).stream()
        .filter(Objects::nonNull)
        .toList();
  }

  @Override
  public int cuMemcpyPeerAsync(
      long destination,
      long destinationContext,
      long source,
      long sourceContext,
      long bytes,
      long handle) {
    Context context = machine.usable();
    if (context == null) {
      return machine.refusal();
    }
    if (context(destinationContext) == null || context(sourceContext) == null) {
      return CudaResult.INVALID_CONTEXT;
    }
    Stream stream = context.stream(handle);
    if (stream == null) {
      return CudaResult.INVALID_HANDLE;
    }
    if (bytes == 0) {
      return CudaResult.SUCCESS;
    }
    long from = machine.resolve(source, bytes);
    long to = machine.resolve(destination, bytes);
    return from == 0 || to == 0
        ? CudaResult.INVALID_VALUE
        : stream
            .context()
            .order()
            .start(stream, new CopyOperation(from, to, bytes, CopyKind.DEVICE_TO_DEVICE));
  }

  private Context context(long handle) {
    return machine.handles().get(handle, Context.class);
  }

  @Override
  public int cuIpcGetMemHandle(long handle, long pointer) {
    int result = check();
    if (result != CudaResult.SUCCESS) {
      return result;
    }
    DeviceMemory memory = machine.memoryOf(pointer);
    Allocation allocation = memory == null ? null : memory.find(pointer);
    if (handle == 0 || allocation == null || !isWhole(allocation)) {
      return CudaResult.INVALID_VALUE;
    }
    try {
      exports.name(allocation).write(handle);
      return CudaResult.SUCCESS;
    } catch (IOException e) {
      return CudaResult.OUT_OF_MEMORY;
    }
  }

  /** Memory of pools has other names, which there are not here. */
  private static boolean isWhole(Allocation allocation) {
    return allocation.kind() == Allocation.Kind.PLAIN && allocation.pool() == null;
  }

  private int check() {
    if (machine.usable() == null) {
      return machine.refusal();
    }
    return exports.exchange() == null ? CudaResult.NOT_SUPPORTED : CudaResult.SUCCESS;
  }

  /** A process cannot open what is its own. */
  private int check(ExchangeName name, int unreadable) {
    if (name == null) {
      return unreadable;
    }
    return exports.isOwn(name) ? CudaResult.INVALID_CONTEXT : CudaResult.SUCCESS;
  }

  @Override
  public int cuIpcOpenMemHandle_v2(long pointer, long handle, int flags) {
    int result = check();
    if (result == CudaResult.SUCCESS
        && (pointer == 0 || handle == 0 || flags != LAZY_ENABLE_PEER_ACCESS)) {
      result = CudaResult.INVALID_VALUE;
    }
    if (result != CudaResult.SUCCESS) {
      return result;
    }
    ExchangeName name = ExchangeName.at(handle, ExchangeName.Kind.MEMORY);
    result = check(name, CudaResult.INVALID_VALUE);
    if (result != CudaResult.SUCCESS) {
      return result;
    }
    long address = imports.open(machine.usable(), name, 0);
    if (address < 0) {
      return (int) -address;
    }
    Native.putLong(pointer, address);
    return CudaResult.SUCCESS;
  }

  @Override
  public int cuIpcCloseMemHandle(long pointer) {
    int result = check();
    if (result != CudaResult.SUCCESS) {
      return result;
    }
    if (!imports.has(pointer, ExchangeName.Kind.MEMORY)) {
      return CudaResult.INVALID_VALUE;
    }
    machine.awaitAll();
    return imports.close(pointer) ? CudaResult.SUCCESS : CudaResult.INVALID_VALUE;
  }

  @Override
  public int cuIpcGetEventHandle(long handle, long event) {
    int result = check();
    if (result != CudaResult.SUCCESS) {
      return result;
    }
    Event named = machine.handles().get(event, Event.class);
    if (named == null || named.mark() == null) {
      return CudaResult.INVALID_HANDLE;
    }
    if (handle == 0) {
      return CudaResult.INVALID_VALUE;
    }
    try {
      exports.name(named.mark()).write(handle);
      return CudaResult.SUCCESS;
    } catch (IOException e) {
      return CudaResult.OUT_OF_MEMORY;
    }
  }

  @Override
  public int cuIpcOpenEventHandle(long event, long handle) {
    int result = check();
    if (result != CudaResult.SUCCESS || event == 0 || handle == 0) {
      return result != CudaResult.SUCCESS ? result : CudaResult.INVALID_VALUE;
    }
    ExchangeName name = ExchangeName.at(handle, ExchangeName.Kind.EVENT);
    result = check(name, CudaResult.MAP_FAILED);
    return result != CudaResult.SUCCESS ? result : open(event, name);
  }

  private int open(long event, ExchangeName name) {
    Exchange exchange = exports.exchange();
    try (Exchange.Answer answer = exchange.ask(name.process(), name.toArray())) {
      Context context = machine.usable();
      Event opened = new Event(context, SharedMark.of(answer.descriptor()));
      if (!context.adopt(opened)) {
        return CudaResult.OUT_OF_MEMORY;
      }
      Native.putLong(event, opened.handle());
      return CudaResult.SUCCESS;
    } catch (IOException gone) {
      return CudaResult.MAP_FAILED;
    }
  }
}
