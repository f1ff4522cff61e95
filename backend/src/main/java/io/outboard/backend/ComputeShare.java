// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.LaunchConfig;
import io.outboard.wire.Native;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;

/**
 * Keeps a lease to its share of the devices' time: kernels, graphs, and large fills and copies
 * within a device are begun in the lease's time slices only ({@link SliceMeter}). Copies between
 * the host and a device are not held up: they take no part of what computes.
 */
final class ComputeShare extends ContextDevices {
  /** Smaller fills and copies take as little as waiting for them would. */
  private static final long LARGE = 4L << 20;

  private static final long LEGACY = 0;

  private final List<SliceMeter> meters;

  ComputeShare(CudaDriver delegate, List<SliceMeter> meters) {
    super(delegate);
    this.meters = List.copyOf(meters);
  }

  /** One for a session. */
  static ComputeShare of(CudaDriver driver, SessionContext context, MemoryCredit credit) {
    Allotment allotment = context.allotment();
    try {
      Bell bell = Bell.map(allotment.bell());
      List<SliceMeter> meters = new ArrayList<>();
      for (int gpu = 0; gpu < allotment.gpus().size(); gpu++) {
        meters.add(new SliceMeter(driver, credit.slice(gpu), bell));
      }
      meters.forEach(SessionSlices.of(context)::add);
      return new ComputeShare(driver, meters);
    } catch (IOException e) {
      throw new UncheckedIOException("the lease's time slices are not known", e);
    }
  }

  private SliceMeter begin() {
    SliceMeter meter = meters.get(device());
    meter.begin();
    return meter;
  }

  private int metered(long stream, long bytes, IntSupplier work) {
    if (bytes < LARGE) {
      return work.getAsInt();
    }
    SliceMeter meter = begin();
    return meter.begun(context(), stream, work.getAsInt());
  }

  /** Once the meter does not look at the stream any more. */
  private int exclusively(long stream, IntSupplier change) {
    return meters.get(device()).exclusively(context(), stream, change);
  }

  @Override
  void ending(long context) {
    meters.forEach(meter -> meter.ending(context(), context));
  }

  @Override
  void ended(long context) {}

  @Override
  public int cuStreamDestroy_v2(long stream) {
    return exclusively(stream, () -> delegate.cuStreamDestroy_v2(stream));
  }

  @Override
  public int cuStreamBeginCapture_v2(long stream, int mode) {
    return exclusively(stream, () -> delegate.cuStreamBeginCapture_v2(stream, mode));
  }

  @Override
  public int cuStreamBeginCaptureToGraph(
      long stream, long graph, long dependencies, long edges, long count, int mode) {
    return exclusively(
        stream,
        () ->
            delegate.cuStreamBeginCaptureToGraph(stream, graph, dependencies, edges, count, mode));
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
    SliceMeter meter = begin();
    int result =
        delegate.cuLaunchKernel(
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
    return meter.begun(context(), stream, result);
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
    SliceMeter meter = begin();
    int result =
        delegate.cuLaunchCooperativeKernel(
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
    return meter.begun(context(), stream, result);
  }

  @Override
  public int outboardLaunchKernelEx(
      long config, long function, long parameters, int parameterBytes) {
    long stream = config == 0 ? LEGACY : Native.getLong(config + LaunchConfig.STREAM_VALUE);
    SliceMeter meter = begin();
    int result = delegate.outboardLaunchKernelEx(config, function, parameters, parameterBytes);
    return meter.begun(context(), stream, result);
  }

  @Override
  public int cuGraphLaunch(long executable, long stream) {
    SliceMeter meter = begin();
    int result = delegate.cuGraphLaunch(executable, stream);
    return meter.begun(context(), stream, result);
  }

  @Override
  public int cuMemcpyDtoD_v2(long destination, long source, long bytes) {
    return metered(LEGACY, bytes, () -> delegate.cuMemcpyDtoD_v2(destination, source, bytes));
  }

  @Override
  public int cuMemcpyDtoDAsync_v2(long destination, long source, long bytes, long stream) {
    return metered(
        stream, bytes, () -> delegate.cuMemcpyDtoDAsync_v2(destination, source, bytes, stream));
  }

  @Override
  public int cuMemsetD8_v2(long destination, byte value, long count) {
    return metered(LEGACY, count, () -> delegate.cuMemsetD8_v2(destination, value, count));
  }

  @Override
  public int cuMemsetD8Async(long destination, byte value, long count, long stream) {
    return metered(
        stream, count, () -> delegate.cuMemsetD8Async(destination, value, count, stream));
  }

  @Override
  public int cuMemsetD32_v2(long destination, int value, long count) {
    return metered(
        LEGACY, count * Integer.BYTES, () -> delegate.cuMemsetD32_v2(destination, value, count));
  }

  @Override
  public int cuMemsetD32Async(long destination, int value, long count, long stream) {
    return metered(
        stream,
        count * Integer.BYTES,
        () -> delegate.cuMemsetD32Async(destination, value, count, stream));
  }
}
