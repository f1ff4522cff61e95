// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.profile;

import io.outboard.cuda.CudaVirtualMemory;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Properties;
import java.util.Set;

/**
 * The figures of a software device: its name and the answers of {@code cuDeviceGetAttribute}, as
 * data. Figures that are not listed are 0: a feature that there is not (cube maps, clusters).
 */
public final class DeviceProfile {
  private static final String NAME = "name";
  private static final String LIKE = "like";
  private static final String SLICES = "slices";
  private static final String MEMORY = "memory";
  private static final int MIB = 1 << 20;

  /** Names of a profile's entries that are no attributes. */
  private static final Set<String> OTHERS = Set.of(NAME, SLICES, MEMORY);

  private final String model;
  private final String mark;
  private final List<DeviceSlice> slices;
  private final long memoryBytes;
  private final int[] attributes = new int[DeviceAttribute.END];

  private DeviceProfile(String model, String mark, List<DeviceSlice> slices, long memoryBytes) {
    this.memoryBytes = memoryBytes;
    this.model = model;
    this.mark = mark;
    this.slices = slices;
  }

  /**
   * The software GPU: compute capability 9.0, as many multiprocessors as the machine has
   * processors; the limits of a block and of a multiprocessor are those of that capability (CUDA
   * C++ Programming Guide, "Technical Specifications per Compute Capability").
   */
  public static DeviceProfile software(int processors) {
    return new DeviceProfile("Outboard Software GPU", "", List.of(), 0)
        .with(DeviceAttribute.COMPUTE_CAPABILITY_MAJOR, 9)
        .with(DeviceAttribute.COMPUTE_CAPABILITY_MINOR, 0)
        .blocks()
        .multiprocessors(processors)
        .memory()
        .images();
  }

  /** The profiles that there are, as data files beside this class. */
  public static List<String> names() {
    return List.of("a100", "h100", "h200", "h200-mig", "t4");
  }

  /**
   * A software GPU with the figures of a real one, as far as programs choose by them: name, compute
   * capability, sizes and clocks. Its features stay those of the software GPU.
   *
   * @throws IllegalArgumentException if there is no such profile
   */
  public static DeviceProfile named(String name) {
    return of(figures(name));
  }

  private static Properties figures(String name) {
    try (InputStream file = DeviceProfile.class.getResourceAsStream(name + ".properties")) {
      if (file == null || !names().contains(name)) {
        throw new IllegalArgumentException("there is no profile " + name);
      }
      Properties figures = new Properties();
      figures.load(file);
      if (figures.remove(LIKE) instanceof String other) {
        figures(other).forEach(figures::putIfAbsent);
      }
      return figures;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static DeviceProfile of(Properties figures) {
    List<DeviceSlice> slices = DeviceSlice.all(figures.getProperty(SLICES, ""));
    long memory = Long.parseLong(figures.getProperty(MEMORY)) * MIB;
    DeviceProfile profile =
        new DeviceProfile(figures.getProperty(NAME), " (software)", slices, memory);
    profile.blocks().multiprocessors(1).memory().images();
    for (String key : figures.stringPropertyNames()) {
      if (!OTHERS.contains(key)) {
        profile.with(DeviceAttribute.number(key), Integer.parseInt(figures.getProperty(key)));
      }
    }
    return profile;
  }

  private DeviceProfile blocks() {
    return with(DeviceAttribute.MAX_THREADS_PER_BLOCK, 1024)
        .with(DeviceAttribute.MAX_BLOCK_DIM_X, 1024)
        .with(DeviceAttribute.MAX_BLOCK_DIM_Y, 1024)
        .with(DeviceAttribute.MAX_BLOCK_DIM_Z, 64)
        .with(DeviceAttribute.MAX_GRID_DIM_X, Integer.MAX_VALUE)
        .with(DeviceAttribute.MAX_GRID_DIM_Y, 65_535)
        .with(DeviceAttribute.MAX_GRID_DIM_Z, 65_535)
        .with(DeviceAttribute.WARP_SIZE, 32)
        .with(DeviceAttribute.MAX_REGISTERS_PER_BLOCK, 65_536)
        .with(DeviceAttribute.MAX_SHARED_MEMORY_PER_BLOCK, 48 << 10)
        .with(DeviceAttribute.MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 227 << 10)
        .with(DeviceAttribute.RESERVED_SHARED_MEMORY_PER_BLOCK, 1 << 10);
  }

  private DeviceProfile multiprocessors(int count) {
    return with(DeviceAttribute.MULTIPROCESSOR_COUNT, count)
        .with(DeviceAttribute.MAX_THREADS_PER_MULTIPROCESSOR, 2048)
        .with(DeviceAttribute.MAX_BLOCKS_PER_MULTIPROCESSOR, 32)
        .with(DeviceAttribute.MAX_REGISTERS_PER_MULTIPROCESSOR, 65_536)
        .with(DeviceAttribute.MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, 228 << 10)
        .with(DeviceAttribute.CLOCK_RATE, 1_000_000)
        .with(DeviceAttribute.CONCURRENT_KERNELS, 1)
        .with(DeviceAttribute.GPU_OVERLAP, 1)
        .with(DeviceAttribute.ASYNC_ENGINE_COUNT, 1)
        .with(DeviceAttribute.COOPERATIVE_LAUNCH, 1)
        .with(DeviceAttribute.SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO, 1);
  }

  private DeviceProfile memory() {
    return with(DeviceAttribute.TOTAL_CONSTANT_MEMORY, 64 << 10)
        .with(DeviceAttribute.MAX_PITCH, Integer.MAX_VALUE)
        .with(DeviceAttribute.MEMORY_CLOCK_RATE, 1_600_000)
        .with(DeviceAttribute.GLOBAL_MEMORY_BUS_WIDTH, 64)
        .with(DeviceAttribute.L2_CACHE_SIZE, 32 << 20)
        .with(DeviceAttribute.UNIFIED_ADDRESSING, 1)
        .with(DeviceAttribute.GLOBAL_L1_CACHE_SUPPORTED, 1)
        .with(DeviceAttribute.LOCAL_L1_CACHE_SUPPORTED, 1)
        .with(DeviceAttribute.CAN_USE_STREAM_MEM_OPS_V1, 1)
        .with(DeviceAttribute.CAN_USE_64_BIT_STREAM_MEM_OPS_V1, 1)
        .with(DeviceAttribute.CAN_USE_STREAM_WAIT_VALUE_NOR_V1, 1)
        .with(DeviceAttribute.CAN_USE_64_BIT_STREAM_MEM_OPS, 1)
        .with(DeviceAttribute.CAN_USE_STREAM_WAIT_VALUE_NOR, 1)
        .with(DeviceAttribute.VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 1)
        .with(DeviceAttribute.HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED, 1)
        .with(DeviceAttribute.MEMORY_POOLS_SUPPORTED, 1)
        .with(DeviceAttribute.MEMPOOL_SUPPORTED_HANDLE_TYPES, CudaVirtualMemory.FILE_DESCRIPTOR)
        .with(DeviceAttribute.HOST_REGISTER_SUPPORTED, 1)
        .with(DeviceAttribute.IPC_EVENT_SUPPORTED, 1)
        .with(DeviceAttribute.HOST_NUMA_ID, -1);
  }

  /** The extents of textures and surfaces: those of an H200, which are compute capability 9.0's. */
  private DeviceProfile images() {
    return with(DeviceAttribute.TEXTURE_ALIGNMENT, 512)
        .with(DeviceAttribute.SURFACE_ALIGNMENT, 512)
        .with(DeviceAttribute.TEXTURE_PITCH_ALIGNMENT, 32)
        .with(DeviceAttribute.MAX_TEXTURE_1D_WIDTH, 131_072)
        .with(DeviceAttribute.MAX_TEXTURE_2D_WIDTH, 131_072)
        .with(DeviceAttribute.MAX_TEXTURE_2D_HEIGHT, 65_536)
        .with(DeviceAttribute.MAX_TEXTURE_3D_WIDTH, 16_384)
        .with(DeviceAttribute.MAX_TEXTURE_3D_HEIGHT, 16_384)
        .with(DeviceAttribute.MAX_TEXTURE_3D_DEPTH, 16_384)
        .with(DeviceAttribute.MAX_TEXTURE_2D_LAYERED_WIDTH, 32_768)
        .with(DeviceAttribute.MAX_TEXTURE_2D_LAYERED_HEIGHT, 32_768)
        .with(DeviceAttribute.MAX_TEXTURE_2D_LAYERED_LAYERS, 2_048)
        .with(DeviceAttribute.MAX_TEXTURE_1D_LAYERED_WIDTH, 32_768)
        .with(DeviceAttribute.MAX_TEXTURE_1D_LAYERED_LAYERS, 2_048)
        .with(DeviceAttribute.MAX_TEXTURE_2D_GATHER_WIDTH, 32_768)
        .with(DeviceAttribute.MAX_TEXTURE_2D_GATHER_HEIGHT, 32_768)
        .with(DeviceAttribute.MAX_SURFACE_1D_WIDTH, 32_768)
        .with(DeviceAttribute.MAX_SURFACE_2D_WIDTH, 131_072)
        .with(DeviceAttribute.MAX_SURFACE_2D_HEIGHT, 65_536)
        .with(DeviceAttribute.MAX_SURFACE_3D_WIDTH, 16_384)
        .with(DeviceAttribute.MAX_SURFACE_3D_HEIGHT, 16_384)
        .with(DeviceAttribute.MAX_SURFACE_3D_DEPTH, 16_384)
        .with(DeviceAttribute.MAX_SURFACE_1D_LAYERED_WIDTH, 32_768)
        .with(DeviceAttribute.MAX_SURFACE_1D_LAYERED_LAYERS, 2_048)
        .with(DeviceAttribute.MAX_SURFACE_2D_LAYERED_WIDTH, 32_768)
        .with(DeviceAttribute.MAX_SURFACE_2D_LAYERED_HEIGHT, 32_768)
        .with(DeviceAttribute.MAX_SURFACE_2D_LAYERED_LAYERS, 2_048)
        .with(DeviceAttribute.MAX_TEXTURE_1D_LINEAR_WIDTH, 1 << 28)
        .with(DeviceAttribute.MAX_TEXTURE_2D_LINEAR_WIDTH, 131_072)
        .with(DeviceAttribute.MAX_TEXTURE_2D_LINEAR_HEIGHT, 65_000)
        .with(DeviceAttribute.MAX_TEXTURE_2D_LINEAR_PITCH, 2_097_120)
        .with(DeviceAttribute.MAX_TEXTURE_2D_MIPMAPPED_WIDTH, 32_768)
        .with(DeviceAttribute.MAX_TEXTURE_2D_MIPMAPPED_HEIGHT, 32_768)
        .with(DeviceAttribute.MAX_TEXTURE_1D_MIPMAPPED_WIDTH, 32_768);
  }

  private DeviceProfile with(int attribute, int value) {
    attributes[attribute] = value;
    return this;
  }

  /** The device's name. */
  public String name() {
    return model + mark;
  }

  /** The memory of a device; 0 where it has no figure of its own. */
  public long memoryBytes() {
    return memoryBytes;
  }

  /** How many devices there are of each: as many as it is cut into, or itself. */
  public int parts() {
    return Math.max(1, slices.size());
  }

  /** The slices that it is cut into; empty where it is whole. */
  public List<DeviceSlice> slices() {
    return slices;
  }

  /** The profile of one of its slices, named as the vendor's are. */
  public DeviceProfile cut(DeviceSlice slice) {
    DeviceProfile part =
        new DeviceProfile(
            model + " MIG " + slice.profile(), mark, List.of(), slice.memory(memoryBytes));
    System.arraycopy(attributes, 0, part.attributes, 0, attributes.length);
    return part.with(DeviceAttribute.MULTIPROCESSOR_COUNT, slice.multiprocessors());
  }

  /** Whether there is such an attribute in CUDA 13.0. */
  public boolean knows(int attribute) {
    return attribute > 0 && attribute < DeviceAttribute.END;
  }

  /** The figure of an attribute that the profile {@link #knows}. */
  public int attribute(int attribute) {
    return attributes[attribute];
  }

  /** Compute capability as 10 × major + minor, as images are marked. */
  public int architecture() {
    return 10 * attributes[DeviceAttribute.COMPUTE_CAPABILITY_MAJOR]
        + attributes[DeviceAttribute.COMPUTE_CAPABILITY_MINOR];
  }
}
