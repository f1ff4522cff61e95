// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.profile;

import io.outboard.backend.devices.SessionDevices;
import io.outboard.backend.library.CheckpointBlockers;
import io.outboard.backend.library.DeviceException;
import io.outboard.backend.library.SessionContext;
import io.outboard.backend.route.RemoteHost;
import io.outboard.cuda.CudaKinds;
import io.outboard.cupti.CuptiDriver;
import io.outboard.cupti.CuptiResult;
import io.outboard.cupti.RecordForm;
import io.outboard.softgpu.SoftGpu;
import io.outboard.wire.Handles;
import io.outboard.wire.Native;
import java.util.Optional;

/**
 * The records of a session's devices. A session that is not profiled has none: the recorder begins
 * with the first call that asks for records.
 */
public final class SessionProfile implements CuptiDriver {
  /** Most blocks that wait for a client, 256 MiB. */
  private static final int BLOCKS = 256;

  /** What {@link RecordForm#CONTEXT_NUMBER} and those beside it are about. */
  private static final int[] KINDS = {
    CudaKinds.CONTEXT, CudaKinds.STREAM, CudaKinds.GRAPH, CudaKinds.EXECUTABLE, CudaKinds.NODE
  };

  /**
   * {@code CU_STREAM_LEGACY}; 0 is the same one. A stream of each thread's own has no number: here
   * threads are others than the program's.
   */
  private static final long LEGACY = 1;

  private final SessionContext context;
  private final RecordBlocks blocks = new RecordBlocks(BLOCKS);
  // Null until records are asked for, and where nothing can record.
  private volatile DeviceRecorder recorder;
  private boolean looked;
  private volatile boolean on;

  private SessionProfile(SessionContext context) {
    this.context = context;
  }

  /** A session's. */
  public static SessionProfile of(SessionContext context) {
    return context.shared(SessionProfile.class, () -> new SessionProfile(context));
  }

  /** The executing thread issues the call of this sequence, to a device perhaps. */
  public void issues(long sequence) {
    if (on) {
      recorder.issues(sequence);
    }
  }

  private synchronized Optional<DeviceRecorder> recorder() {
    if (!looked) {
      recorder = open().orElse(null);
      looked = true;
      if (!RemoteHost.of(context).isEmpty()) {
        context.message("what GPUs of joined hosts do is not recorded for a profiler");
      }
    }
    return Optional.ofNullable(recorder);
  }

  private Optional<DeviceRecorder> open() {
    try {
      WorkRecords records = new WorkRecords(blocks);
      return SessionDevices.of(context).local() instanceof SoftGpu gpu
          ? Optional.of(new SoftwareRecorder(gpu, records))
          : vendor(records);
    } catch (DeviceException e) {
      return Optional.empty();
    }
  }

  /** Nobody has tried to put a process aside in which CUPTI is. */
  private Optional<DeviceRecorder> vendor(WorkRecords records) {
    Optional<VendorCupti> cupti = HostCupti.load();
    cupti.ifPresentOrElse(
        _ -> CheckpointBlockers.of(context).add("it is being profiled"),
        () -> context.message("there is no CUPTI on the machine with the GPU: " + HostCupti.HINT));
    return cupti.map(its -> new VendorRecorder(its, records, blocks));
  }

  @Override
  public int outboardActivityEnable(long kinds, long version) {
    DeviceRecorder its = recorder().orElse(null);
    if (its == null) {
      return CuptiResult.NOT_INITIALIZED;
    }
    int result = its.enable(kinds);
    on = result == CuptiResult.SUCCESS && kinds != 0;
    if (version != 0) {
      Native.putInt(version, its.version());
    }
    return result;
  }

  @Override
  public int outboardActivityFlush(long bytes, long dropped) {
    if (bytes == 0 || dropped == 0) {
      return CuptiResult.INVALID_PARAMETER;
    }
    if (recorder != null) {
      recorder.flush();
    }
    Native.putLong(bytes, blocks.first());
    Native.putLong(dropped, blocks.dropped());
    return CuptiResult.SUCCESS;
  }

  @Override
  public int outboardActivityTake(long records, long bytes, long next) {
    if (records == 0 || next == 0 || !blocks.take(records, bytes)) {
      return CuptiResult.INVALID_PARAMETER;
    }
    recorder.complete(records, bytes);
    Native.putLong(next, blocks.first());
    return CuptiResult.SUCCESS;
  }

  @Override
  public int outboardActivityNumber(int what, long contextHandle, long object, long number) {
    boolean valued =
        what == RecordForm.CONTEXT_NUMBER
            || (what == RecordForm.STREAM_NUMBER && object >= 0 && object <= LEGACY);
    boolean within = what == RecordForm.CONTEXT_NUMBER || what == RecordForm.STREAM_NUMBER;
    if (number == 0 || what < 0 || what >= KINDS.length || recorder == null) {
      return CuptiResult.INVALID_PARAMETER;
    }
    long its = within ? value(contextHandle, CudaKinds.CONTEXT) : 0;
    long asked = valued ? object : value(object, KINDS[what]);
    boolean known = its != Handles.INVALID && asked != Handles.INVALID;
    long found = known ? recorder.number(what, its, asked) : 0;
    Native.putLong(number, found);
    return found == 0 ? CuptiResult.INVALID_PARAMETER : CuptiResult.SUCCESS;
  }

  private long value(long handle, int kind) {
    return context.handles().resolve(handle, 1L << kind);
  }

  @Override
  public int outboardActivityClock(long nanos) {
    if (nanos == 0) {
      return CuptiResult.INVALID_PARAMETER;
    }
    Native.putLong(nanos, System.nanoTime());
    return CuptiResult.SUCCESS;
  }
}
