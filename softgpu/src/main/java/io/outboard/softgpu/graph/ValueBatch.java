// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.graph;

import io.outboard.cuda.CudaResult;
import io.outboard.cuda.struct.BatchOperation;
import io.outboard.softgpu.device.Machine;
import io.outboard.softgpu.device.NodeType;
import io.outboard.softgpu.device.Operation;
import io.outboard.softgpu.stream.EmptyOperation;
import io.outboard.softgpu.stream.ValueWait;
import io.outboard.softgpu.stream.ValueWrite;
import io.outboard.wire.Native;
import java.util.ArrayList;
import java.util.List;

/** Several waits and writes, one after another ({@code CUstreamBatchMemOpParams}). */
public final class ValueBatch {
  private static final int WAIT_32 = 1;
  private static final int WRITE_32 = 2;
  private static final int FLUSH = 3;
  private static final int WAIT_64 = 4;
  private static final int WRITE_64 = 5;
  private static final int BARRIER = 6;

  /** Most of them; the vendor's limit. */
  private static final int MOST = 256;

  private static final int ADDRESS = 8;
  private static final int VALUE = 16;
  private static final int FLAGS = 24;

  /** {@code CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER}. */
  private static final int NO_BARRIER = 1;

  private ValueBatch() {}

  /** Reads them. */
  public static NodeWork.Made read(Machine machine, long operations, int count) {
    if ((operations == 0 && count > 0) || count < 0 || count > MOST) {
      return NodeWork.Made.failed(CudaResult.INVALID_VALUE);
    }
    List<Operation> work = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      NodeWork.Made one = one(machine, operations + (long) i * BatchOperation.BYTES);
      if (one.result() != CudaResult.SUCCESS) {
        return one;
      }
      work.add(one.operation());
    }
    return NodeWork.Made.of(new GraphOperation(work, NodeType.BATCH_MEM_OP));
  }

  private static NodeWork.Made one(Machine machine, long operation) {
    return switch (Native.getInt(operation)) {
      case WAIT_32 -> wait(machine, operation, Integer.BYTES);
      case WAIT_64 -> wait(machine, operation, Long.BYTES);
      case WRITE_32 -> write(machine, operation, Integer.BYTES);
      case WRITE_64 -> write(machine, operation, Long.BYTES);
      // Writes are seen by all in their order, and no other devices write here.
      case BARRIER -> NodeWork.Made.of(new EmptyOperation());
      case FLUSH -> NodeWork.Made.failed(CudaResult.NOT_SUPPORTED);
      default -> NodeWork.Made.failed(CudaResult.INVALID_VALUE);
    };
  }

  private static NodeWork.Made wait(Machine machine, long operation, int bytes) {
    long at = resolve(machine, operation, bytes);
    int flags = Native.getInt(operation + FLAGS);
    return at == 0 || !ValueWait.knows(flags)
        ? NodeWork.Made.failed(CudaResult.INVALID_VALUE)
        : NodeWork.Made.of(new ValueWait(at, value(operation, bytes), bytes, flags));
  }

  private static NodeWork.Made write(Machine machine, long operation, int bytes) {
    long at = resolve(machine, operation, bytes);
    boolean known = (Native.getInt(operation + FLAGS) & ~NO_BARRIER) == 0;
    return at == 0 || !known
        ? NodeWork.Made.failed(CudaResult.INVALID_VALUE)
        : NodeWork.Made.of(new ValueWrite(at, value(operation, bytes), bytes));
  }

  private static long resolve(Machine machine, long operation, int bytes) {
    long address = Native.getLong(operation + ADDRESS);
    return address % bytes == 0 ? machine.resolveWord(address, bytes) : 0;
  }

  private static long value(long operation, int bytes) {
    long value = operation + VALUE;
    return bytes == Integer.BYTES ? Native.getInt(value) : Native.getLong(value);
  }
}
