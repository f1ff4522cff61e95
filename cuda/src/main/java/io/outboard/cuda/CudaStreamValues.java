// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda;

import static io.outboard.cuda.CudaKinds.CONTEXT;
import static io.outboard.cuda.CudaKinds.EVENT;
import static io.outboard.cuda.CudaKinds.STREAM;
import static io.outboard.spec.Work.COPY;
import static io.outboard.spec.Work.WAIT;

import io.outboard.cuda.struct.BatchOperation;
import io.outboard.spec.Async;
import io.outboard.spec.Call;
import io.outboard.spec.Custom;
import io.outboard.spec.DevicePointer;
import io.outboard.spec.DeviceWork;
import io.outboard.spec.Handle;
import io.outboard.spec.In;
import io.outboard.spec.Local;
import io.outboard.spec.OrderedBy;
import io.outboard.spec.Out;
import io.outboard.spec.Resource;
import io.outboard.spec.Takes;
import io.outboard.spec.Touches;
import io.outboard.spec.Variants;

/**
 * Waiting for and writing values in the order of streams, and what else is said of a stream; CUDA
 * Driver API, sections 6.18 and 6.20.
 */
public interface CudaStreamValues {
  /** Writes 32 bits. */
  @Call(410)
  @Async
  @DeviceWork(COPY)
  @Variants({"cuStreamWriteValue32", "cuStreamWriteValue32_ptsz", "cuStreamWriteValue32_v2_ptsz"})
  int cuStreamWriteValue32_v2(
      @Handle(STREAM) @Touches long stream, @DevicePointer long address, int value, int flags);

  /** Writes 64 bits. */
  @Call(411)
  @Async
  @DeviceWork(COPY)
  @Variants({"cuStreamWriteValue64", "cuStreamWriteValue64_ptsz", "cuStreamWriteValue64_v2_ptsz"})
  int cuStreamWriteValue64_v2(
      @Handle(STREAM) @Touches long stream, @DevicePointer long address, long value, int flags);

  /** Waits until 32 bits are as the flags say. */
  @Call(412)
  @Async
  @DeviceWork(WAIT)
  @Custom("words of the program's memory whose pages travel")
  @Variants({"cuStreamWaitValue32", "cuStreamWaitValue32_ptsz", "cuStreamWaitValue32_v2_ptsz"})
  int cuStreamWaitValue32_v2(
      @Handle(STREAM) @Touches long stream, @DevicePointer long address, int value, int flags);

  /** Waits until 64 bits are as the flags say. */
  @Call(413)
  @Async
  @DeviceWork(WAIT)
  @Custom("words of the program's memory whose pages travel")
  @Variants({"cuStreamWaitValue64", "cuStreamWaitValue64_ptsz", "cuStreamWaitValue64_v2_ptsz"})
  int cuStreamWaitValue64_v2(
      @Handle(STREAM) @Touches long stream, @DevicePointer long address, long value, int flags);

  /** Several of these in one go. */
  @Call(414)
  @DeviceWork(COPY)
  @Variants({"cuStreamBatchMemOp", "cuStreamBatchMemOp_ptsz", "cuStreamBatchMemOp_v2_ptsz"})
  default int cuStreamBatchMemOp_v2(
      @Handle(STREAM) long stream,
      int count,
      @In(struct = BatchOperation.class, count = "count") long operations,
      int flags) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Copies a stream's attributes. */
  @Call(415)
  @Takes(Resource.NOTHING)
  @Variants("cuStreamCopyAttributes_ptsz")
  default int cuStreamCopyAttributes(@Handle(STREAM) long to, @Handle(STREAM) long from) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** An attribute of a stream; its value has 64 bytes. */
  @Call(416)
  @Takes(Resource.NOTHING)
  @Variants("cuStreamGetAttribute_ptsz")
  default int cuStreamGetAttribute(
      @Handle(STREAM) long stream, int attribute, @Out(bytes = "64") long value) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Sets an attribute of a stream. */
  @Call(417)
  @Takes(Resource.NOTHING)
  @Variants("cuStreamSetAttribute_ptsz")
  default int cuStreamSetAttribute(
      @Handle(STREAM) long stream, int attribute, @In(bytes = "64") long value) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Records an event behind all work of a context. */
  @Call(418)
  default int cuCtxRecordEvent(
      @Handle(CONTEXT) long context, @Handle(EVENT) @OrderedBy long event) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Lets all later work of a context wait for an event. */
  @Call(419)
  default int cuCtxWaitEvent(@Handle(CONTEXT) long context, @Handle(EVENT) @OrderedBy long event) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Makes writes of other PCI devices seen. */
  @Call(420)
  default int cuFlushGPUDirectRDMAWrites(int target, int scope) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Runs a function of the program when the stream gets there; as cuLaunchHostFunc. */
  @Local(
      prototype =
          "CUresult cuStreamAddCallback(CUstream stream, void (*callback)(CUstream, CUresult, void *), void *userData, unsigned int flags)")
  @Variants("cuStreamAddCallback_ptsz")
  default int cuStreamAddCallback(
      @Handle(STREAM) long stream, long callback, long userData, int flags) {
    return CudaResult.NOT_SUPPORTED;
  }
}
