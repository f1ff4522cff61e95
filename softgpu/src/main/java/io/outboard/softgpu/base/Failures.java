// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.base;

import io.outboard.cuda.CudaResult;
import java.lang.System.Logger.Level;

/** Mistakes of this program: they are logged, and the caller gets a result code. */
public final class Failures {
  private Failures() {}

  /** Logs what nobody expected. */
  public static int unexpected(Throwable failure) {
    if (failure instanceof OutOfMemoryError) {
      return CudaResult.OUT_OF_MEMORY;
    }
    System.getLogger("io.outboard.softgpu").log(Level.ERROR, "unexpected failure", failure);
    return CudaResult.UNKNOWN;
  }
}
