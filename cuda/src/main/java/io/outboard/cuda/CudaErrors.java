// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda;

import static io.outboard.spec.Scalar.INT;
import static io.outboard.spec.Scalar.LONG;

import io.outboard.spec.Local;
import io.outboard.spec.Out;

/**
 * Error texts, and the log of errors; CUDA Driver API, "Error Handling" and "Error Log Management
 * Functions". The log tells of errors that a driver explains: Outboard explains them on standard
 * error, and so the log is empty.
 */
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

  /** Has a function of the program called with each message of the log. */
  @Local(
      prototype =
          "CUresult cuLogsRegisterCallback(void (*callback)(void *data, int level, char *message, size_t length), void *data, void **registered)")
  default int cuLogsRegisterCallback(long callback, long data, @Out(LONG) long registered) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** The end of that. */
  @Local(prototype = "CUresult cuLogsUnregisterCallback(void *registered)")
  default int cuLogsUnregisterCallback(long registered) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** The end of the log. */
  @Local(prototype = "CUresult cuLogsCurrent(unsigned int *position, unsigned int flags)")
  default int cuLogsCurrent(@Out(INT) long position, int flags) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Writes the messages from a position on to a file. */
  @Local(
      prototype =
          "CUresult cuLogsDumpToFile(unsigned int *position, const char *file, unsigned int flags)")
  default int cuLogsDumpToFile(long position, long file, int flags) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Writes the messages from a position on to the program's memory. */
  @Local(
      prototype =
          "CUresult cuLogsDumpToMemory(unsigned int *position, char *text, size_t *bytes, unsigned int flags)")
  default int cuLogsDumpToMemory(long position, long text, long bytes, int flags) {
    return CudaResult.NOT_SUPPORTED;
  }
}
