// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.profile;

import io.outboard.cuda.CudaResult;
import io.outboard.ptx.PtxKernel;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * The figures of a function ({@code CUfunction_attribute}); a kernel and its functions share them.
 */
public final class FunctionFigures {
  private static final int MAX_THREADS_PER_BLOCK = 0;
  private static final int SHARED_BYTES = 1;
  private static final int CONSTANT_BYTES = 2;
  private static final int LOCAL_BYTES = 3;
  private static final int REGISTERS = 4;
  private static final int PTX_VERSION = 5;
  private static final int BINARY_VERSION = 6;
  private static final int MAX_DYNAMIC_SHARED_BYTES = 8;
  private static final int PREFERRED_CARVEOUT = 9;
  private static final int REQUIRED_CLUSTER_WIDTH = 11;
  private static final int REQUIRED_CLUSTER_HEIGHT = 12;
  private static final int REQUIRED_CLUSTER_DEPTH = 13;
  private static final int NON_PORTABLE_CLUSTER_SIZE_ALLOWED = 14;
  private static final int CLUSTER_SCHEDULING_POLICY = 15;

  /** {@code CU_CLUSTER_SCHEDULING_POLICY_LOAD_BALANCING}. */
  private static final int LAST_SCHEDULING_POLICY = 2;

  private static final int END = 16;

  /**
   * Most registers a thread is said to have: the software device has no register file, and a kernel
   * must not look as if its largest block did not fit.
   */
  private static final int MAX_REGISTERS = 64;

  private final PtxKernel code;
  private final DeviceProfile profile;
  private final int ptxVersion;
  private volatile int maxDynamicSharedBytes;
  private volatile int carveout = -1;
  private volatile int nonPortableClusters;
  private final AtomicIntegerArray clusters = new AtomicIntegerArray(END);

  public FunctionFigures(PtxKernel code, DeviceProfile profile, int ptxVersion) {
    this.code = code;
    this.profile = profile;
    this.ptxVersion = ptxVersion;
    int limit = profile.attribute(DeviceAttribute.MAX_SHARED_MEMORY_PER_BLOCK);
    this.maxDynamicSharedBytes = Math.max(0, limit - code.sharedBytes());
  }

  /** Whether there is such a figure. */
  public static boolean knows(int attribute) {
    return attribute >= 0 && attribute < END;
  }

  /** The value of a figure that there is. */
  public int get(int attribute) {
    return switch (attribute) {
      case MAX_THREADS_PER_BLOCK -> maxThreads();
      case SHARED_BYTES -> code.sharedBytes();
      case CONSTANT_BYTES -> code.constantBytes();
      case LOCAL_BYTES -> code.localBytes();
      case REGISTERS -> registers();
      case PTX_VERSION -> ptxVersion;
      case BINARY_VERSION -> profile.architecture();
      case MAX_DYNAMIC_SHARED_BYTES -> maxDynamicSharedBytes;
      case PREFERRED_CARVEOUT -> carveout;
      case NON_PORTABLE_CLUSTER_SIZE_ALLOWED -> nonPortableClusters;
      case REQUIRED_CLUSTER_WIDTH,
          REQUIRED_CLUSTER_HEIGHT,
          REQUIRED_CLUSTER_DEPTH,
          CLUSTER_SCHEDULING_POLICY ->
          clusters.get(attribute);
      default -> 0;
    };
  }

  /** Sets one of the figures that can be set. */
  public int set(int attribute, int value) {
    return switch (attribute) {
      case MAX_DYNAMIC_SHARED_BYTES -> allowDynamicShared(value);
      case PREFERRED_CARVEOUT -> preferCarveout(value);
      case NON_PORTABLE_CLUSTER_SIZE_ALLOWED -> {
        nonPortableClusters = value;
        yield CudaResult.SUCCESS;
      }
      // A cluster is one block here.
      case REQUIRED_CLUSTER_WIDTH, REQUIRED_CLUSTER_HEIGHT, REQUIRED_CLUSTER_DEPTH ->
          setCluster(attribute, value, 1);
      case CLUSTER_SCHEDULING_POLICY -> setCluster(attribute, value, LAST_SCHEDULING_POLICY);
      default -> CudaResult.INVALID_VALUE;
    };
  }

  private int setCluster(int attribute, int value, int most) {
    if (value < 0 || value > most) {
      return CudaResult.INVALID_VALUE;
    }
    clusters.set(attribute, value);
    return CudaResult.SUCCESS;
  }

  private int allowDynamicShared(int bytes) {
    int limit = profile.attribute(DeviceAttribute.MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
    if (bytes < 0 || bytes > limit - code.sharedBytes()) {
      return CudaResult.INVALID_VALUE;
    }
    maxDynamicSharedBytes = bytes;
    return CudaResult.SUCCESS;
  }

  private int preferCarveout(int percent) {
    if (percent < -1 || percent > 100) {
      return CudaResult.INVALID_VALUE;
    }
    carveout = percent;
    return CudaResult.SUCCESS;
  }

  public int maxThreads() {
    int limit = profile.attribute(DeviceAttribute.MAX_THREADS_PER_BLOCK);
    return code.maxThreadsPerBlock() > 0 ? Math.min(limit, code.maxThreadsPerBlock()) : limit;
  }

  public int registers() {
    return Math.clamp(code.registers(), 1, MAX_REGISTERS);
  }

  public int maxDynamicSharedBytes() {
    return maxDynamicSharedBytes;
  }
}
