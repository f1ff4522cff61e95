// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda.vendor;

import io.outboard.cuda.CudaModules;
import io.outboard.cuda.CudaResult;
import io.outboard.wire.Native;
import java.util.function.LongUnaryOperator;

/** How a program uses a variable of a module. */
public final class VariableSharing {
  /** Not at all: kernels alone do. */
  public static final long NONE = 0;

  /** It has a mirror of it: memory of its own at the same address. */
  public static final long MIRRORED = -1;

  /** Bytes from which the backend keeps track of the client's copy of a variable. */
  public static final int LARGE = 64 << 10;

  /** Bytes whose changes are told together. */
  public static final int PART = 4096;

  private VariableSharing() {}

  /** {@link CudaModules#outboardModuleVariable} of a driver that knows of each variable. */
  public static int inModule(
      CudaModules driver,
      long pointer,
      long bytes,
      long sharing,
      long module,
      long name,
      LongUnaryOperator known) {
    return tell(pointer, sharing, driver.cuModuleGetGlobal_v2(pointer, bytes, module, name), known);
  }

  /** {@link CudaModules#outboardLibraryVariable} of such a driver. */
  public static int inLibrary(
      CudaModules driver,
      long pointer,
      long bytes,
      long sharing,
      long library,
      long name,
      int managed,
      LongUnaryOperator known) {
    int result =
        managed != 0
            ? driver.cuLibraryGetManaged(pointer, bytes, library, name)
            : driver.cuLibraryGetGlobal(pointer, bytes, library, name);
    return tell(pointer, sharing, result, known);
  }

  private static int tell(long pointer, long sharing, int result, LongUnaryOperator known) {
    if (result != CudaResult.SUCCESS) {
      return result;
    }
    if (pointer == 0 || sharing == 0) {
      return CudaResult.INVALID_VALUE;
    }
    Native.putLong(sharing, known.applyAsLong(Native.getLong(pointer)));
    return CudaResult.SUCCESS;
  }
}
