// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.profile;

/**
 * The figures of a device that are not zero here, by their number ({@code CUdevice_attribute} of
 * the CUDA Driver API, "Data types used by CUDA driver").
 */
public final class DeviceAttribute {
  static final int MAX_THREADS_PER_BLOCK = 1;
  public static final int MAX_BLOCK_DIM_X = 2;
  static final int MAX_BLOCK_DIM_Y = 3;
  static final int MAX_BLOCK_DIM_Z = 4;
  public static final int MAX_GRID_DIM_X = 5;
  static final int MAX_GRID_DIM_Y = 6;
  static final int MAX_GRID_DIM_Z = 7;
  static final int MAX_SHARED_MEMORY_PER_BLOCK = 8;
  static final int TOTAL_CONSTANT_MEMORY = 9;
  public static final int WARP_SIZE = 10;
  static final int MAX_PITCH = 11;
  static final int MAX_REGISTERS_PER_BLOCK = 12;
  static final int CLOCK_RATE = 13;
  public static final int TEXTURE_ALIGNMENT = 14;
  static final int GPU_OVERLAP = 15;
  public static final int MULTIPROCESSOR_COUNT = 16;
  public static final int KERNEL_EXEC_TIMEOUT = 17;
  public static final int CAN_MAP_HOST_MEMORY = 19;
  public static final int MAX_TEXTURE_1D_WIDTH = 21;
  public static final int MAX_TEXTURE_2D_WIDTH = 22;
  public static final int MAX_TEXTURE_2D_HEIGHT = 23;
  public static final int MAX_TEXTURE_3D_WIDTH = 24;
  public static final int MAX_TEXTURE_3D_HEIGHT = 25;
  public static final int MAX_TEXTURE_3D_DEPTH = 26;
  public static final int MAX_TEXTURE_2D_LAYERED_WIDTH = 27;
  public static final int MAX_TEXTURE_2D_LAYERED_HEIGHT = 28;
  public static final int MAX_TEXTURE_2D_LAYERED_LAYERS = 29;
  static final int SURFACE_ALIGNMENT = 30;
  static final int CONCURRENT_KERNELS = 31;
  public static final int PCI_BUS_ID = 33;
  static final int MEMORY_CLOCK_RATE = 36;
  public static final int GLOBAL_MEMORY_BUS_WIDTH = 37;
  static final int L2_CACHE_SIZE = 38;
  public static final int MAX_THREADS_PER_MULTIPROCESSOR = 39;
  static final int ASYNC_ENGINE_COUNT = 40;
  static final int UNIFIED_ADDRESSING = 41;
  public static final int MAX_TEXTURE_1D_LAYERED_WIDTH = 42;
  public static final int MAX_TEXTURE_1D_LAYERED_LAYERS = 43;
  static final int MAX_TEXTURE_2D_GATHER_WIDTH = 45;
  static final int MAX_TEXTURE_2D_GATHER_HEIGHT = 46;
  public static final int TEXTURE_PITCH_ALIGNMENT = 51;
  static final int MAX_SURFACE_1D_WIDTH = 55;
  static final int MAX_SURFACE_2D_WIDTH = 56;
  static final int MAX_SURFACE_2D_HEIGHT = 57;
  static final int MAX_SURFACE_3D_WIDTH = 58;
  static final int MAX_SURFACE_3D_HEIGHT = 59;
  static final int MAX_SURFACE_3D_DEPTH = 60;
  static final int MAX_SURFACE_1D_LAYERED_WIDTH = 61;
  static final int MAX_SURFACE_1D_LAYERED_LAYERS = 62;
  static final int MAX_SURFACE_2D_LAYERED_WIDTH = 63;
  static final int MAX_SURFACE_2D_LAYERED_HEIGHT = 64;
  static final int MAX_SURFACE_2D_LAYERED_LAYERS = 65;
  public static final int MAX_TEXTURE_1D_LINEAR_WIDTH = 69;
  public static final int MAX_TEXTURE_2D_LINEAR_WIDTH = 70;
  public static final int MAX_TEXTURE_2D_LINEAR_HEIGHT = 71;
  public static final int MAX_TEXTURE_2D_LINEAR_PITCH = 72;
  static final int MAX_TEXTURE_2D_MIPMAPPED_WIDTH = 73;
  static final int MAX_TEXTURE_2D_MIPMAPPED_HEIGHT = 74;
  public static final int COMPUTE_CAPABILITY_MAJOR = 75;
  public static final int COMPUTE_CAPABILITY_MINOR = 76;
  static final int MAX_TEXTURE_1D_MIPMAPPED_WIDTH = 77;
  static final int GLOBAL_L1_CACHE_SUPPORTED = 79;
  static final int LOCAL_L1_CACHE_SUPPORTED = 80;
  public static final int MAX_SHARED_MEMORY_PER_MULTIPROCESSOR = 81;
  public static final int MAX_REGISTERS_PER_MULTIPROCESSOR = 82;
  public static final int MANAGED_MEMORY = 83;
  public static final int MULTI_GPU_BOARD_GROUP_ID = 85;
  static final int SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO = 87;
  static final int COOPERATIVE_LAUNCH = 95;
  public static final int MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97;
  public static final int CONCURRENT_MANAGED_ACCESS = 89;
  public static final int CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM = 91;
  static final int CAN_USE_STREAM_MEM_OPS_V1 = 92;
  static final int CAN_USE_64_BIT_STREAM_MEM_OPS_V1 = 93;
  static final int CAN_USE_STREAM_WAIT_VALUE_NOR_V1 = 94;
  static final int HOST_REGISTER_SUPPORTED = 99;
  public static final int DIRECT_MANAGED_MEM_ACCESS_FROM_HOST = 101;
  static final int VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED = 102;
  static final int HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED = 103;
  public static final int MAX_BLOCKS_PER_MULTIPROCESSOR = 106;
  public static final int RESERVED_SHARED_MEMORY_PER_BLOCK = 111;
  public static final int READ_ONLY_HOST_REGISTER_SUPPORTED = 113;
  static final int MEMORY_POOLS_SUPPORTED = 115;
  static final int MEMPOOL_SUPPORTED_HANDLE_TYPES = 119;
  static final int CAN_USE_64_BIT_STREAM_MEM_OPS = 122;
  static final int CAN_USE_STREAM_WAIT_VALUE_NOR = 123;
  static final int IPC_EVENT_SUPPORTED = 125;
  static final int HOST_NUMA_ID = 134;

  /** One more than the last attribute that a driver of CUDA 13.0 answers. */
  static final int END = 148;

  private DeviceAttribute() {}

  /**
   * The number of an attribute by the name of its constant here.
   *
   * @throws IllegalArgumentException if there is none
   */
  static int number(String name) {
    try {
      return DeviceAttribute.class.getDeclaredField(name).getInt(null);
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException("there is no attribute " + name, e);
    }
  }
}
