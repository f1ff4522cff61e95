// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda;

import static io.outboard.spec.Scalar.LONG;

import io.outboard.spec.Local;
import io.outboard.spec.Out;

/** Error texts and the profiler's switch; CUDA Driver API, sections 6.1 and 6.36. */
public interface CudaErrors {
  /** The constant's name of a result code. */
  @Local(prototype = "CUresult cuGetErrorName(CUresult error, const char **name)")
  default int cuGetErrorName(int error, @Out(LONG) long name) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** The meaning of a result code. */
  @Local(prototype = "CUresult cuGetErrorString(CUresult error, const char **text)")
  default int cuGetErrorString(int error, @Out(LONG) long text) {
    return CudaResult.NOT_SUPPORTED;
  }
}
