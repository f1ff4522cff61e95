// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.route;

import io.outboard.backend.system.NativeBuffer;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaResult;
import io.outboard.wire.Hosts;
import io.outboard.wire.Native;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Streams of several hosts that wait for each other. A stream is held meanwhile: calls that wait
 * tell errors of the work that it is held for. Calls for which a driver waits for all of its work,
 * with its lock held perhaps, wait here first, until no stream is held.
 */
abstract class RoutedStreams extends RoutedLibraries {
  private final HeldStreams held;
  private final Set<Long> captures = ConcurrentHashMap.newKeySet();
  // Functions that were launched: a driver may load one then.
  private final Set<Long> launched = ConcurrentHashMap.newKeySet();

  RoutedStreams(CudaHosts hosts, List<? extends CudaDriver> drivers, HeldStreams held) {
    super(hosts, drivers);
    this.held = held;
  }

  /** Whether streams can be held: none that captures can, nor can one while others do. */
  final boolean canHold() {
    return captures.isEmpty();
  }

  // ---- events

  @Override
  public int cuStreamWaitEvent(long stream, long event, int flags) {
    int whose = hosts.ofHandle(event);
    int owner = all.owner(stream);
    if (whose == Hosts.ANY || whose == owner) {
      return super.cuStreamWaitEvent(stream, event, flags);
    }
    int result = canHold() ? hold(stream, owner, event, whose) : HeldStreams.NONE;
    return result == HeldStreams.NONE ? await(stream, event, whose) : result;
  }

  /** Holds a stream until another one of the event's host has waited for the event. */
  private int hold(long stream, int owner, long event, int whose) {
    OwnContext context = held.contextOn(owner);
    OwnContext theirs = held.contextOn(whose);
    long waiting = context != null && theirs != null ? theirs.takeStream() : 0;
    if (waiting == 0) {
      return HeldStreams.NONE;
    }
    int result = theirs.call(its -> its.cuStreamWaitEvent(waiting, event, 0));
    if (result == CudaResult.SUCCESS) {
      result = held.hold(context, stream, theirs, waiting, () -> theirs.giveBack(waiting));
    }
    if (result != CudaResult.SUCCESS) {
      // It may wait still, and nobody else's event is to wait for that.
      int unused = theirs.call(its -> its.cuStreamDestroy_v2(waiting));
    }
    return result;
  }

  private int await(long stream, long event, int whose) {
    int result = uncaptured(stream);
    return result == CudaResult.SUCCESS
        ? driver(hosts.enter(whose)).cuEventSynchronize(event)
        : result;
  }

  /** A graph has work of one host: no event of another one comes into a capture. */
  private int uncaptured(long stream) {
    try (NativeBuffer buffer = new NativeBuffer(Integer.BYTES)) {
      int result =
          driver(hosts.enter(all.owner(stream))).cuStreamIsCapturing(stream, buffer.address());
      boolean captures = result == CudaResult.SUCCESS && Native.getInt(buffer.address()) != 0;
      return captures ? CudaResult.STREAM_CAPTURE_ISOLATION : result;
    }
  }

  // ---- captures

  private void capture(long stream) {
    held.settle();
    captures.add(stream);
  }

  @Override
  public int cuStreamBeginCapture_v2(long stream, int mode) {
    capture(stream);
    return super.cuStreamBeginCapture_v2(stream, mode);
  }

  @Override
  public int cuStreamBeginCaptureToGraph(
      long stream, long graph, long dependencies, long edges, long count, int mode) {
    capture(stream);
    return super.cuStreamBeginCaptureToGraph(stream, graph, dependencies, edges, count, mode);
  }

  @Override
  public int cuStreamEndCapture(long stream, long graph) {
    captures.remove(stream);
    return super.cuStreamEndCapture(stream, graph);
  }

  // ---- calls that wait

  @Override
  public int cuCtxSynchronize() {
    return held.told(super.cuCtxSynchronize());
  }

  @Override
  public int cuStreamSynchronize(long stream) {
    return held.told(super.cuStreamSynchronize(stream));
  }

  @Override
  public int cuStreamQuery(long stream) {
    return held.told(super.cuStreamQuery(stream));
  }

  @Override
  public int cuEventSynchronize(long event) {
    return held.told(super.cuEventSynchronize(event));
  }

  @Override
  public int cuMemcpyDtoH_v2(long destination, long source, long bytes) {
    return held.told(super.cuMemcpyDtoH_v2(destination, source, bytes));
  }

  // ---- calls that wait for all work

  @Override
  public int cuMemFree_v2(long pointer) {
    held.settle();
    return super.cuMemFree_v2(pointer);
  }

  @Override
  public int cuArrayDestroy(long array) {
    held.settle();
    return super.cuArrayDestroy(array);
  }

  @Override
  public int cuModuleLoadData(long module, long image, long bytes) {
    held.settle();
    return super.cuModuleLoadData(module, image, bytes);
  }

  @Override
  public int cuModuleUnload(long module) {
    held.settle();
    launched.clear();
    return super.cuModuleUnload(module);
  }

  @Override
  public int cuLibraryLoadData(long library, long code, long bytes) {
    held.settle();
    return super.cuLibraryLoadData(library, code, bytes);
  }

  @Override
  public int cuLibraryUnload(long library) {
    held.settle();
    launched.clear();
    return super.cuLibraryUnload(library);
  }

  @Override
  public int cuLaunchKernel(
      long function,
      int gridX,
      int gridY,
      int gridZ,
      int blockX,
      int blockY,
      int blockZ,
      int sharedBytes,
      long stream,
      long parameters,
      int parameterBytes) {
    settleFirst(function);
    return super.cuLaunchKernel(
        function,
        gridX,
        gridY,
        gridZ,
        blockX,
        blockY,
        blockZ,
        sharedBytes,
        stream,
        parameters,
        parameterBytes);
  }

  @Override
  public int cuLaunchCooperativeKernel(
      long function,
      int gridX,
      int gridY,
      int gridZ,
      int blockX,
      int blockY,
      int blockZ,
      int sharedBytes,
      long stream,
      long parameters,
      int parameterBytes) {
    settleFirst(function);
    return super.cuLaunchCooperativeKernel(
        function,
        gridX,
        gridY,
        gridZ,
        blockX,
        blockY,
        blockZ,
        sharedBytes,
        stream,
        parameters,
        parameterBytes);
  }

  private void settleFirst(long function) {
    if (launched.add(function)) {
      held.settle();
    }
  }

  // ---- contexts that end

  @Override
  public int cuCtxDestroy_v2(long context) {
    held.leave(one -> one.context() == context);
    return super.cuCtxDestroy_v2(context);
  }

  /** A host's contexts may be about to end. */
  final void leave(int host) {
    held.leave(one -> one.host() == host);
  }
}
