// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.cuda.CudaResult;
import io.outboard.nvml.NvmlDriver;
import io.outboard.nvml.NvmlResult;
import io.outboard.nvml.struct.DeviceShare;
import io.outboard.nvml.struct.MemoryV2;
import io.outboard.nvml.struct.PciInfo;
import io.outboard.nvml.struct.ProcessV1;
import io.outboard.softgpu.profile.DeviceProfile;
import io.outboard.wire.Native;
import java.lang.foreign.Arena;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The management library shows the devices that CUDA has. */
final class ManagementTest {
  private static final long MEMORY = 64L << 20;
  private static final int PROCESS = 4711;

  private final Arena arena = Arena.ofConfined();
  private final SoftGpu gpu = gpu(2);
  private final NvmlDriver nvml = gpu.management(PROCESS);
  private final long out = room(256);
  private final long device = room(8);

  private static SoftGpu gpu(int devices) {
    return SoftGpu.builder(new RecordingConsole()).devices(devices).memoryBytes(MEMORY).build();
  }

  private long room(long bytes) {
    return arena.allocate(bytes, 8).address();
  }

  private long text(String text) {
    return arena.allocateFrom(text).address();
  }

  @BeforeEach
  void begin() {
    assertEquals(NvmlResult.SUCCESS, nvml.nvmlInit_v2());
    assertEquals(CudaResult.SUCCESS, gpu.cuInit(0));
    assertEquals(NvmlResult.SUCCESS, nvml.nvmlDeviceGetHandleByIndex_v2(1, device));
  }

  @AfterEach
  void end() {
    arena.close();
  }

  @Test
  void isInitialisedAsOftenAsItIsAsked() {
    NvmlDriver other = gpu(1).management(PROCESS);
    assertEquals(NvmlResult.UNINITIALIZED, other.nvmlDeviceGetCount_v2(out));
    assertEquals(NvmlResult.UNINITIALIZED, other.nvmlShutdown());
    assertEquals(NvmlResult.SUCCESS, other.nvmlInit_v2());
    assertEquals(NvmlResult.SUCCESS, other.nvmlInitWithFlags(0));
    assertEquals(NvmlResult.SUCCESS, other.nvmlShutdown());
    assertEquals(NvmlResult.SUCCESS, other.nvmlDeviceGetCount_v2(out));
    assertEquals(1, Native.getInt(out));
    assertEquals(NvmlResult.SUCCESS, other.nvmlShutdown());
    assertEquals(NvmlResult.UNINITIALIZED, other.nvmlDeviceGetCount_v2(out));
  }

  @Test
  void aBoardThatIsCutShowsItsSlices() {
    SoftGpu cut =
        SoftGpu.builder(new RecordingConsole())
            .profile(DeviceProfile.named("h200-mig"))
            .devices(2)
            .memoryBytes(MEMORY)
            .build();
    NvmlDriver boards = cut.management(PROCESS);
    check(boards.nvmlInit_v2());
    check(boards.nvmlDeviceGetCount_v2(out));
    assertEquals(2, Native.getInt(out), "boards");
    check(boards.nvmlDeviceGetHandleByIndex_v2(1, device));
    long board = Native.getLong(device);
    check(boards.nvmlDeviceGetMigMode(board, out, out + 4));
    assertEquals(1, Native.getInt(out));
    check(boards.nvmlDeviceGetName(board, out, 96));
    assertEquals("NVIDIA H200 (software)", Native.MEMORY.getString(out));
    check(boards.nvmlDeviceGetMemoryInfo(board, out));
    assertEquals(MEMORY, Native.getLong(out));
    check(boards.nvmlDeviceGetMaxMigDeviceCount(board, out));
    assertEquals(4, Native.getInt(out));
    assertEquals(NvmlResult.NOT_FOUND, boards.nvmlDeviceGetMigDeviceHandleByIndex(board, 4, out));
    check(boards.nvmlDeviceGetMigDeviceHandleByIndex(board, 2, device));
    checkSlice(boards, board, Native.getLong(device));
  }

  private void checkSlice(NvmlDriver boards, long board, long slice) {
    check(boards.nvmlDeviceGetName(slice, out, 96));
    assertEquals("NVIDIA H200 MIG 2g.35gb (software)", Native.MEMORY.getString(out));
    check(boards.nvmlDeviceGetUUID(slice, out, 96));
    assertTrue(Native.MEMORY.getString(out).startsWith("MIG-"));
    check(boards.nvmlDeviceGetHandleByUUID(out, device));
    assertEquals(slice, Native.getLong(device));
    check(boards.nvmlDeviceGetMemoryInfo(slice, out));
    assertEquals(MEMORY / 4, Native.getLong(out));
    check(boards.nvmlDeviceGetAttributes_v2(slice, out));
    assertEquals(32, Native.getInt(out));
    assertEquals(2, Native.getInt(out + DeviceShare.GPU_SLICES));
    check(boards.nvmlDeviceGetDeviceHandleFromMigDeviceHandle(slice, device));
    assertEquals(board, Native.getLong(device));
    check(boards.nvmlDeviceGetGpuInstanceId(slice, out));
    assertEquals(3, Native.getInt(out));
    check(boards.nvmlDeviceGetComputeInstanceId(slice, out));
    assertEquals(0, Native.getInt(out));
    assertEquals(NvmlResult.INVALID_ARGUMENT, boards.nvmlDeviceGetGpuInstanceId(board, out));
    assertEquals(NvmlResult.NOT_SUPPORTED, boards.nvmlDeviceGetMigMode(slice, out, out + 4));
  }

  @Test
  void aSliceAloneIsTheSameAsAmongAll() {
    SoftGpu one =
        SoftGpu.builder(new RecordingConsole())
            .profile(DeviceProfile.named("h200-mig"))
            .only(List.of(7))
            .memoryBytes(MEMORY)
            .build();
    check(one.cuInit(0));
    check(one.cuDeviceGetCount(out));
    assertEquals(1, Native.getInt(out));
    check(one.cuDeviceGetName(out, 96, 0));
    assertEquals("NVIDIA H200 MIG 3g.71gb (software)", Native.MEMORY.getString(out));
    check(one.cuDeviceTotalMem_v2(out, 0));
    assertEquals(MEMORY / 2, Native.getLong(out));
    NvmlDriver board = one.management(PROCESS);
    check(board.nvmlInit_v2());
    check(board.nvmlDeviceGetHandleByIndex_v2(0, device));
    check(board.nvmlDeviceGetPciInfo_v3(Native.getLong(device), out));
    assertEquals(2, Native.getInt(out + PciInfo.BUS));
    check(board.nvmlDeviceGetMigDeviceHandleByIndex(Native.getLong(device), 3, out));
    assertEquals(
        NvmlResult.NOT_FOUND,
        board.nvmlDeviceGetMigDeviceHandleByIndex(Native.getLong(device), 0, out));
  }

  private static void check(int result) {
    assertEquals(NvmlResult.SUCCESS, result);
  }

  @Test
  void aDeviceThatIsNotCutHasNoSlices() {
    long whole = Native.getLong(device);
    assertEquals(NvmlResult.NOT_SUPPORTED, nvml.nvmlDeviceGetMigMode(whole, out, out + 4));
    check(nvml.nvmlDeviceGetMaxMigDeviceCount(whole, out));
    assertEquals(0, Native.getInt(out));
    assertEquals(NvmlResult.NOT_SUPPORTED, nvml.nvmlDeviceGetMigDeviceHandleByIndex(whole, 0, out));
    assertEquals(NvmlResult.NOT_SUPPORTED, nvml.nvmlDeviceGetAttributes_v2(whole, out));
  }

  @Test
  void withoutDevicesThereIsNoDriver() {
    assertEquals(NvmlResult.DRIVER_NOT_LOADED, gpu(0).management(PROCESS).nvmlInit_v2());
  }

  @Test
  void devicesAreFoundByAddressAndIdentity() {
    assertEquals(NvmlResult.SUCCESS, nvml.nvmlDeviceGetPciInfo_v3(Native.getLong(device), out));
    String address = Native.MEMORY.getString(out + PciInfo.ADDRESS);
    assertEquals("00000000:02:00.0", address);
    assertEquals("0000:02:00.0", Native.MEMORY.getString(out));
    assertEquals(2, Native.getInt(out + PciInfo.BUS));
    for (String form : new String[] {address, "0000:02:00.0", "0:2:0.0", "02:00", "2:0.0"}) {
      assertEquals(
          NvmlResult.SUCCESS, nvml.nvmlDeviceGetHandleByPciBusId_v2(text(form), out), form);
      assertEquals(Native.getLong(device), Native.getLong(out), form);
    }
    for (String form : new String[] {"", "0000:03:00.0", "1:02:00.0", "02:01.0", "x", "02"}) {
      assertEquals(
          NvmlResult.NOT_FOUND, nvml.nvmlDeviceGetHandleByPciBusId_v2(text(form), out), form);
    }
    assertEquals(NvmlResult.SUCCESS, nvml.nvmlDeviceGetUUID(Native.getLong(device), out, 96));
    long found = room(8);
    assertEquals(NvmlResult.SUCCESS, nvml.nvmlDeviceGetHandleByUUID(out, found));
    assertEquals(Native.getLong(device), Native.getLong(found));
    assertEquals(NvmlResult.NOT_FOUND, nvml.nvmlDeviceGetHandleByUUID(text("GPU-0"), found));
  }

  @Test
  void memoryIsWhatCudaHasTaken() {
    long context = room(8);
    assertEquals(CudaResult.SUCCESS, gpu.cuDevicePrimaryCtxRetain(context, 1));
    assertEquals(CudaResult.SUCCESS, gpu.cuCtxSetCurrent(Native.getLong(context)));
    int result = nvml.nvmlDeviceGetComputeRunningProcesses(Native.getLong(device), out, 0);
    assertEquals(NvmlResult.SUCCESS, result);
    assertEquals(0, Native.getInt(out));
    assertEquals(CudaResult.SUCCESS, gpu.cuMemAlloc_v2(context, 1 << 20));
    long memory = room(40);
    Native.putInt(memory, MemoryV2.VERSION);
    result = nvml.nvmlDeviceGetMemoryInfo_v2(Native.getLong(device), memory);
    assertEquals(NvmlResult.SUCCESS, result);
    assertEquals(MEMORY, Native.getLong(memory + MemoryV2.TOTAL));
    assertEquals(MEMORY - (1 << 20), Native.getLong(memory + MemoryV2.FREE));
    assertEquals(1 << 20, Native.getLong(memory + MemoryV2.FREE + 8));
    result = nvml.nvmlDeviceGetComputeRunningProcesses(Native.getLong(device), out, 0);
    assertEquals(NvmlResult.INSUFFICIENT_SIZE, result);
    assertEquals(1, Native.getInt(out));
    result = nvml.nvmlDeviceGetComputeRunningProcesses(Native.getLong(device), out, memory);
    assertEquals(NvmlResult.SUCCESS, result);
    assertEquals(PROCESS, Native.getInt(memory));
    assertEquals(1 << 20, Native.getLong(memory + ProcessV1.USED));
  }

  @Test
  void textsMustFit() {
    assertEquals(
        NvmlResult.INSUFFICIENT_SIZE, nvml.nvmlDeviceGetName(Native.getLong(device), out, 21));
    assertEquals(NvmlResult.SUCCESS, nvml.nvmlDeviceGetName(Native.getLong(device), out, 22));
    assertEquals("Outboard Software GPU", Native.MEMORY.getString(out));
  }

  @Test
  void aMaskHasABitForEachProcessor() {
    long words = Runtime.getRuntime().availableProcessors() / 64 + 1L;
    long mask = room(8 * words);
    int result = nvml.nvmlDeviceGetCpuAffinity(Native.getLong(device), (int) words, mask);
    assertEquals(NvmlResult.SUCCESS, result);
    int bits = 0;
    for (int word = 0; word < words; word++) {
      bits += Long.bitCount(Native.getLong(mask + 8L * word));
    }
    assertEquals(Runtime.getRuntime().availableProcessors(), bits);
  }

  @Test
  void sensorsAreNotSupported() {
    assertEquals(
        NvmlResult.NOT_SUPPORTED, nvml.nvmlDeviceGetTemperature(Native.getLong(device), 0, out));
    assertEquals(NvmlResult.NOT_SUPPORTED, nvml.nvmlDeviceGetPowerUsage(1, out));
  }
}
