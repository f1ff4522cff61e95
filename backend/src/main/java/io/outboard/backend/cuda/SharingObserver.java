// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.cuda;

import io.outboard.backend.library.CheckpointBlockers;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaDriverForwarding;
import io.outboard.cuda.CudaResult;

/**
 * Notices what a session shares with other processes: a driver does not suspend a process that has
 * such memory (CUDA Driver API, "CUDA Checkpointing"), and on the software GPU the other process
 * would find nothing in it.
 */
final class SharingObserver extends CudaDriverForwarding {
  private static final String MEMORY = "it shares device memory with other processes";
  private static final String EVENTS = "it shares events with other processes";

  private final CheckpointBlockers blockers;

  SharingObserver(CudaDriver delegate, CheckpointBlockers blockers) {
    super(delegate);
    this.blockers = blockers;
  }

  private int notice(String what, int result) {
    if (result == CudaResult.SUCCESS) {
      blockers.add(what);
    }
    return result;
  }

  @Override
  public int cuIpcGetMemHandle(long handle, long pointer) {
    return notice(MEMORY, delegate.cuIpcGetMemHandle(handle, pointer));
  }

  @Override
  public int cuIpcOpenMemHandle_v2(long pointer, long handle, int flags) {
    return notice(MEMORY, delegate.cuIpcOpenMemHandle_v2(pointer, handle, flags));
  }

  @Override
  public int cuIpcGetEventHandle(long handle, long event) {
    return notice(EVENTS, delegate.cuIpcGetEventHandle(handle, event));
  }

  @Override
  public int cuIpcOpenEventHandle(long event, long handle) {
    return notice(EVENTS, delegate.cuIpcOpenEventHandle(event, handle));
  }

  @Override
  public int cuMemExportToShareableHandle(long handle, long allocation, int type, long flags) {
    return notice(MEMORY, delegate.cuMemExportToShareableHandle(handle, allocation, type, flags));
  }

  @Override
  public int cuMemImportFromShareableHandle(long allocation, long handle, int type) {
    return notice(MEMORY, delegate.cuMemImportFromShareableHandle(allocation, handle, type));
  }

  @Override
  public int cuMemPoolExportToShareableHandle(long handle, long pool, int type, long flags) {
    return notice(MEMORY, delegate.cuMemPoolExportToShareableHandle(handle, pool, type, flags));
  }

  @Override
  public int cuMemPoolImportFromShareableHandle(long pool, long handle, int type, long flags) {
    return notice(MEMORY, delegate.cuMemPoolImportFromShareableHandle(pool, handle, type, flags));
  }
}
