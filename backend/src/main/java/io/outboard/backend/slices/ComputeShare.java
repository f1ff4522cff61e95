// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.slices;

import io.outboard.backend.library.SessionContext;
import io.outboard.backend.quota.ContextDevices;
import io.outboard.backend.quota.MemoryCredit;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaDriverMetered;
import io.outboard.cuda.struct.LaunchConfig;
import io.outboard.wire.Native;
import java.util.List;
import java.util.function.IntSupplier;

/**
 * Keeps a lease to its share of the devices' time: every call that asks a device to compute begins
 * in the lease's time slices only ({@link SliceMeter}), whatever its size. The interfaces say which
 * calls these are ({@code DeviceWork}); copies between the host and a device are not held up, as
 * they take no part of what computes.
 */
public final class ComputeShare extends CudaDriverMetered {
  private static final long LEGACY = 0;

  private final List<SliceMeter> meters;
  private final ContextDevices contexts;

  public ComputeShare(CudaDriver delegate, List<SliceMeter> meters) {
    super(delegate);
    this.meters = List.copyOf(meters);
    this.contexts = new Contexts(delegate, this.meters);
  }

  /** A context that ends takes the meters' events with it. */
  private static final class Contexts extends ContextDevices {
    private final List<SliceMeter> meters;

    Contexts(CudaDriver delegate, List<SliceMeter> meters) {
      super(delegate);
      this.meters = meters;
    }

    @Override
    public void ending(long context) {
      meters.forEach(meter -> meter.ending(context(), context));
    }

    @Override
    public void ended(long context) {}
  }

  /** One for a session. */
  public static ComputeShare of(CudaDriver driver, SessionContext context, MemoryCredit credit) {
    return new ComputeShare(driver, SessionSlices.of(context).meters(context, credit, driver));
  }

  @Override
  protected int begin() {
    int device = contexts.device();
    meters.get(device).begin();
    return device;
  }

  @Override
  protected int begun(int device, long stream, int result) {
    return meters.get(device).begun(contexts.context(), stream, result);
  }

  /** Once the meter does not look at the stream any more. */
  private int exclusively(long stream, IntSupplier change) {
    return meters.get(contexts.device()).exclusively(contexts.context(), stream, change);
  }

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

  /** Its stream is in the structure. */
  @Override
  public int outboardLaunchKernelEx(
      long config, long function, long parameters, int parameterBytes) {
    long stream = config == 0 ? LEGACY : Native.getLong(config + LaunchConfig.STREAM_VALUE);
    int device = begin();
    int result = delegate.outboardLaunchKernelEx(config, function, parameters, parameterBytes);
    return begun(device, stream, result);
  }

  @Override
  public int cuCtxSetCurrent(long context) {
    return contexts.cuCtxSetCurrent(context);
  }

  @Override
  public int cuCtxCreate_v2(long context, int flags, int device) {
    return contexts.cuCtxCreate_v2(context, flags, device);
  }

  @Override
  public int cuCtxDestroy_v2(long context) {
    return contexts.cuCtxDestroy_v2(context);
  }

  @Override
  public int cuDevicePrimaryCtxRetain(long context, int device) {
    return contexts.cuDevicePrimaryCtxRetain(context, device);
  }

  @Override
  public int cuDevicePrimaryCtxReset_v2(int device) {
    return contexts.cuDevicePrimaryCtxReset_v2(device);
  }

  @Override
  public int cuDevicePrimaryCtxRelease_v2(int device) {
    return contexts.cuDevicePrimaryCtxRelease_v2(device);
  }
}
