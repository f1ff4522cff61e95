// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.profile;

import io.outboard.cupti.CuptiResult;
import io.outboard.cupti.RecordForm;
import io.outboard.ptx.host.Dim3;
import io.outboard.softgpu.ProfilerNumbers;
import io.outboard.softgpu.SoftGpu;
import io.outboard.softgpu.base.CopyKind;
import io.outboard.softgpu.base.DoneWork;
import io.outboard.softgpu.base.WorkListener;

/** Records what the software GPU does. */
final class SoftwareRecorder implements DeviceRecorder, WorkListener {
  // CUpti_ActivityMemoryKind
  private static final int PAGEABLE = 1;
  private static final int DEVICE = 3;
  private static final int ARRAY = 4;

  private final WorkRecords records;
  private final ProfilerNumbers numbers;
  private final ThreadLocal<Long> sequence = ThreadLocal.withInitial(() -> 0L);
  private volatile long kinds;

  SoftwareRecorder(SoftGpu gpu, WorkRecords records) {
    this.records = records;
    this.numbers = gpu.profilerNumbers();
    gpu.tell(this);
  }

  @Override
  public int enable(long wanted) {
    kinds = wanted;
    return CuptiResult.SUCCESS;
  }

  @Override
  public int version() {
    return 0;
  }

  @Override
  public void issues(long number) {
    sequence.set(number);
  }

  /** A record is there when its work is over. */
  @Override
  public void flush() {}

  @Override
  public void complete(long block, long bytes) {}

  @Override
  public long number(int what, long context, long object) {
    return switch (what) {
      case RecordForm.CONTEXT_NUMBER -> numbers.context(context);
      case RecordForm.STREAM_NUMBER -> numbers.stream(context, object);
      case RecordForm.GRAPH_NUMBER -> numbers.graph(object);
      case RecordForm.EXECUTABLE_NUMBER -> numbers.executable(object);
      default -> numbers.node(object);
    };
  }

  @Override
  public boolean isOn() {
    return kinds != 0;
  }

  @Override
  public long asker() {
    return sequence.get();
  }

  private boolean records(int kind) {
    return (kinds >>> kind & 1) != 0;
  }

  /** Work of a graph has no records where its launches have. */
  @Override
  public void done(DoneWork work, Place place, long begin, long end) {
    WorkRecords.Work common =
        new WorkRecords.Work(
            place.asker(),
            begin,
            end,
            place.device(),
            place.context(),
            place.stream(),
            place.graph(),
            0);
    boolean whole = place.graph() != 0 && records(RecordForm.GRAPH);
    switch (work) {
      case DoneWork.Graph _ when whole -> records.graph(common);
      case DoneWork _ when whole -> {}
      case DoneWork.Kernel kernel when records(RecordForm.KERNEL) ->
          records.kernel(common, kernel.name(), figures(kernel));
      case DoneWork.Copy copy when records(RecordForm.COPY) -> {
        CopyKind kind = copy.kind();
        int source = memory(kind.isFromHost(), kind.isFromArray());
        int target = memory(kind.isToHost(), kind.isToArray());
        records.copy(common, copy.bytes(), kind.number(), source, target, 0);
      }
      case DoneWork.Fill fill when records(RecordForm.FILL) ->
          records.fill(common, fill.bytes(), fill.value(), DEVICE);
      default -> {}
    }
  }

  private static int memory(boolean host, boolean array) {
    return host ? PAGEABLE : array ? ARRAY : DEVICE;
  }

  private static WorkRecords.Kernel figures(DoneWork.Kernel kernel) {
    long threads = kernel.grid().count() * kernel.block().count();
    long local = Math.min(threads * kernel.localBytes(), Integer.MAX_VALUE);
    return new WorkRecords.Kernel(
        extent(kernel.grid()),
        extent(kernel.block()),
        kernel.staticBytes(),
        kernel.dynamicBytes(),
        kernel.registers(),
        kernel.localBytes(),
        (int) local);
  }

  private static int[] extent(Dim3 extent) {
    return new int[] {extent.x(), extent.y(), extent.z()};
  }
}
