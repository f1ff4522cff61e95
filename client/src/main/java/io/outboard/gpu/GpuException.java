// SPDX-License-Identifier: Apache-2.0
package io.outboard.gpu;

import io.outboard.cuda.CudaResult;

/** A call that the driver refused, or work of the GPU that failed. */
public final class GpuException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int code;

  GpuException(String call, int code) {
    super("%s: error %d (%s)".formatted(call, code, CudaResult.name(code)));
    this.code = code;
  }

  /** The driver's result code: {@code CUresult} of the CUDA Driver API, section 6.1. */
  public int code() {
    return code;
  }

  static void check(String call, int result) {
    if (result != CudaResult.SUCCESS) {
      throw new GpuException(call, result);
    }
  }
}
