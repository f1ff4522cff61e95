// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.device;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.outboard.client.ClientLibrary;
import io.outboard.lease.Slice;
import io.outboard.nvml.NvmlDriver;
import io.outboard.nvml.NvmlDriverTable;
import io.outboard.nvml.NvmlResult;
import io.outboard.nvml.struct.DeviceShare;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Asks a backend for its devices where GPUs are cut into MIG instances: such a GPU is its slices,
 * and not itself. CUDA does not tell, as a process sees one slice at most, and no other GPU then
 * (MIG User Guide, "CUDA Device Enumeration"); the management library does (NVML API, "Multi
 * Instance GPU Management").
 */
final class CutGpus {
  /** The library, as a session is opened for it. */
  static final ClientLibrary LIBRARY =
      new ClientLibrary(
          NvmlDriverTable.LIBRARY,
          NvmlDriverTable.ID,
          NvmlDriverTable.LEVEL,
          NvmlDriverTable.DIGEST,
          NvmlDriverTable.UNAVAILABLE);

  /** {@code NVML_DEVICE_MIG_ENABLE}. */
  private static final int ENABLED = 1;

  private static final int ROOM = 96;

  /** A name ends with the profile, as {@code NVIDIA H200 MIG 1g.18gb}. */
  private static final Pattern PROFILE = Pattern.compile(" MIG (\\S+)");

  private final NvmlDriver driver;
  private final MemorySegment scratch;
  private final MemorySegment second;

  CutGpus(NvmlDriver driver, Arena arena) {
    this.driver = driver;
    this.scratch = arena.allocate(ROOM, Long.BYTES);
    this.second = arena.allocate(JAVA_INT);
  }

  /** All devices, if one of them is cut; else none, as CUDA has more to say of them. */
  List<Device> all() throws IOException {
    if (driver.nvmlInit_v2() != NvmlResult.SUCCESS) {
      return List.of();
    }
    List<Device> devices = new ArrayList<>();
    boolean cut = false;
    for (long handle : handles()) {
      cut |= isSlice(handle) || isCut(handle);
      devices.addAll(devices(handle));
    }
    int unused = driver.nvmlShutdown();
    return cut ? numbered(devices) : List.of();
  }

  private static List<Device> numbered(List<Device> devices) {
    List<Device> numbered = new ArrayList<>();
    devices.forEach(device -> numbered.add(device.numbered(numbered.size())));
    return numbered;
  }

  private List<Long> handles() throws IOException {
    check(driver.nvmlDeviceGetCount_v2(scratch.address()), "nvmlDeviceGetCount");
    int count = number();
    List<Long> handles = new ArrayList<>();
    for (int index = 0; index < count; index++) {
      check(
          driver.nvmlDeviceGetHandleByIndex_v2(index, scratch.address()),
          "nvmlDeviceGetHandleByIndex");
      handles.add(scratch.get(JAVA_LONG, 0));
    }
    return handles;
  }

  /** A client with a lease of a slice sees that slice alone. */
  private List<Device> devices(long handle) throws IOException {
    if (isSlice(handle)) {
      String uuid = uuid(handle);
      return slices(parent(handle)).stream().filter(one -> one.uuid().equals(uuid)).toList();
    }
    return isCut(handle) ? slices(handle) : List.of(device(handle, handle, 0, Optional.empty()));
  }

  private boolean isSlice(long handle) {
    int result = driver.nvmlDeviceIsMigDeviceHandle(handle, scratch.address());
    return result == NvmlResult.SUCCESS && number() == 1;
  }

  private boolean isCut(long handle) {
    int result = driver.nvmlDeviceGetMigMode(handle, scratch.address(), second.address());
    return result == NvmlResult.SUCCESS && number() == ENABLED;
  }

  private long parent(long slice) throws IOException {
    check(
        driver.nvmlDeviceGetDeviceHandleFromMigDeviceHandle(slice, scratch.address()),
        "nvmlDeviceGetDeviceHandleFromMigDeviceHandle");
    return scratch.get(JAVA_LONG, 0);
  }

  /** There may be gaps between them. */
  private List<Device> slices(long gpu) throws IOException {
    check(
        driver.nvmlDeviceGetMaxMigDeviceCount(gpu, scratch.address()),
        "nvmlDeviceGetMaxMigDeviceCount");
    int most = number();
    List<Device> slices = new ArrayList<>();
    for (int index = 0; index < most; index++) {
      int result = driver.nvmlDeviceGetMigDeviceHandleByIndex(gpu, index, scratch.address());
      if (result != NvmlResult.NOT_FOUND) {
        check(result, "nvmlDeviceGetMigDeviceHandleByIndex");
        slices.add(slice(gpu, scratch.get(JAVA_LONG, 0), index));
      }
    }
    return slices;
  }

  private Device slice(long gpu, long handle, int index) throws IOException {
    check(driver.nvmlDeviceGetIndex(gpu, scratch.address()), "nvmlDeviceGetIndex");
    int number = number();
    check(driver.nvmlDeviceGetGpuInstanceId(handle, scratch.address()), "nvmlDeviceGetGpuInstance");
    int gpuInstance = number();
    check(
        driver.nvmlDeviceGetComputeInstanceId(handle, scratch.address()),
        "nvmlDeviceGetComputeInstanceId");
    int computeInstance = number();
    Slice slice =
        new Slice(profile(name(handle)), uuid(gpu), number, index, gpuInstance, computeInstance);
    return device(gpu, handle, multiprocessors(handle), Optional.of(slice));
  }

  private int multiprocessors(long slice) throws IOException {
    MemorySegment share = scratch.asSlice(0, DeviceShare.BYTES);
    check(driver.nvmlDeviceGetAttributes_v2(slice, share.address()), "nvmlDeviceGetAttributes");
    return number();
  }

  private static String profile(String name) throws IOException {
    Matcher profile = PROFILE.matcher(name);
    if (!profile.find()) {
      throw new IOException("the name of a MIG instance has no profile: " + name);
    }
    return profile.group(1);
  }

  private Device device(long gpu, long handle, int multiprocessors, Optional<Slice> slice)
      throws IOException {
    check(
        driver.nvmlDeviceGetCudaComputeCapability(gpu, scratch.address(), second.address()),
        "nvmlDeviceGetCudaComputeCapability");
    String capability = number() + "." + second.get(JAVA_INT, 0);
    check(driver.nvmlDeviceGetMemoryInfo(handle, scratch.address()), "nvmlDeviceGetMemoryInfo");
    long memory = scratch.get(JAVA_LONG, 0);
    return new Device(0, name(handle), uuid(handle), capability, multiprocessors, memory, slice);
  }

  private String name(long handle) throws IOException {
    check(driver.nvmlDeviceGetName(handle, scratch.address(), ROOM), "nvmlDeviceGetName");
    return scratch.getString(0);
  }

  private String uuid(long handle) throws IOException {
    check(driver.nvmlDeviceGetUUID(handle, scratch.address(), ROOM), "nvmlDeviceGetUUID");
    return scratch.getString(0);
  }

  private int number() {
    return scratch.get(JAVA_INT, 0);
  }

  private static void check(int result, String call) throws IOException {
    if (result != NvmlResult.SUCCESS) {
      throw new IOException("the backend answered " + call + " with error " + result);
    }
  }
}
