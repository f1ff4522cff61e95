// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.device;

import io.outboard.cuda.CudaResult;

/**
 * The context that all users of a device share (CUDA Driver API, "Primary Context Management"). It
 * keeps its handle for the life of the process, active or not.
 */
public final class PrimaryContext extends Context {
  private int users;

  PrimaryContext(Machine machine, Device device) {
    super(machine, device, 0);
  }

  /** One more user; the first one since it was empty brings it to life. */
  public synchronized void retain() {
    users++;
    if (!isActive()) {
      activate();
    }
  }

  /** One user less; the last one ends it. */
  public synchronized int release() {
    if (users == 0) {
      return CudaResult.INVALID_CONTEXT;
    }
    if (--users == 0 && isActive()) {
      deactivate();
    }
    return CudaResult.SUCCESS;
  }

  /** Ends what is in it, whoever uses it; who does still has to release it. */
  public synchronized void reset() {
    if (isActive()) {
      deactivate();
    }
  }
}
