// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.quota;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.devices.AllottedManagement;
import io.outboard.backend.devices.QuotaManagement;
import io.outboard.backend.devices.SilentConsole;
import io.outboard.backend.system.NativeBuffer;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaResult;
import io.outboard.cuda.struct.AllocationNode;
import io.outboard.cuda.struct.AllocationProperties;
import io.outboard.cuda.struct.DeviceFacts;
import io.outboard.nvml.NvmlDriver;
import io.outboard.nvml.NvmlResult;
import io.outboard.nvml.struct.MemoryV2;
import io.outboard.softgpu.SoftGpu;
import io.outboard.wire.Native;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each way to memory of a device, against the limit of a lease. */
final class MemoryQuotaTest {
  private static final long MIB = 1 << 20;
  private static final long LIMIT = 64 * MIB;

  // CUarray_format and CUmemLocationType, CUmemAllocationType.
  private static final int FLOAT = 0x20;
  private static final int ON_DEVICE = 1;
  private static final int PINNED = 1;

  private final NativeBuffer buffer = new NativeBuffer(4096);
  private final long out = buffer.address();
  private final long second = out + 8;
  private final long in = out + 1024;
  private final SoftGpu gpu =
      SoftGpu.builder(new SilentConsole()).devices(2).memoryBytes(1L << 30).build();
  private QuotaPage page;
  private MemoryCredit credit;
  private CudaDriver driver;

  @BeforeEach
  void limit() throws IOException {
    page = QuotaPage.create(List.of(LIMIT, LIMIT / 2));
    credit = new MemoryCredit(page, 0);
    driver = new MemoryQuota(gpu, credit);
    check(driver.cuInit(0));
    enter(0);
  }

  @AfterEach
  void close() {
    page.close();
    buffer.close();
  }

  private void enter(int device) {
    check(driver.cuDevicePrimaryCtxRetain(out, device));
    check(driver.cuCtxSetCurrent(Native.getLong(out)));
  }

  private static void check(int result) {
    assertEquals(CudaResult.SUCCESS, result);
  }

  private static void refused(int result) {
    assertEquals(CudaResult.OUT_OF_MEMORY, result);
  }

  private long made(int result) {
    check(result);
    return Native.getLong(out);
  }

  @Test
  void allocationsAreCounted() {
    long first = made(driver.cuMemAlloc_v2(out, 40 * MIB));
    refused(driver.cuMemAlloc_v2(out, 25 * MIB));
    long other = made(driver.cuMemAlloc_v2(out, 24 * MIB));
    refused(driver.cuMemAlloc_v2(out, 1));
    check(driver.cuMemFree_v2(first));
    assertEquals(24 * MIB, page.used(0));
    check(driver.cuMemFree_v2(other));
    assertTrue(driver.cuMemFree_v2(other) != CudaResult.SUCCESS);
    assertEquals(0, page.used(0), "nothing is given back twice");
  }

  @Test
  void whatEndsWithItsContextIsGivenBack() {
    long primary = Native.getLong(out);
    long context = made(driver.cuCtxCreate_v2(out, 0, 0));
    made(driver.cuMemAlloc_v2(out, 40 * MIB));
    check(driver.cuCtxDestroy_v2(context));
    assertEquals(0, page.used(0));
    check(driver.cuCtxSetCurrent(primary));
    made(driver.cuMemAlloc_v2(out, 40 * MIB));
    check(driver.cuDevicePrimaryCtxReset_v2(0));
    check(driver.cuDevicePrimaryCtxRelease_v2(0));
    assertEquals(0, page.used(0));
    enter(0);
    made(driver.cuMemAlloc_v2(out, 40 * MIB));
    check(driver.cuDevicePrimaryCtxRelease_v2(0));
    assertEquals(0, page.used(0));
  }

  @Test
  void whatFailsInTheDriverIsNotCounted() {
    assertTrue(driver.cuMemAlloc_v2(out, 0) != CudaResult.SUCCESS);
    assertEquals(0, page.used(0));
  }

  @Test
  void devicesHaveTheirOwnLimits() {
    enter(1);
    refused(driver.cuMemAlloc_v2(out, 33 * MIB));
    made(driver.cuMemAlloc_v2(out, 32 * MIB));
    assertEquals(32 * MIB, page.used(1));
    assertEquals(0, page.used(0));
  }

  @Test
  void anotherProcessOfTheLeaseCounts() {
    page.join(1);
    page.add(1, 0, 60 * MIB);
    refused(driver.cuMemAlloc_v2(out, 5 * MIB));
    made(driver.cuMemAlloc_v2(out, 4 * MIB));
  }

  @Test
  void rowsAreCountedWithTheirPitch() {
    long rows = made(driver.cuMemAllocPitch_v2(out, second, 1000, 1000, 4));
    assertEquals(Native.getLong(second) * 1000, page.used(0));
    refused(driver.cuMemAllocPitch_v2(out, second, MIB, 64, 4));
    check(driver.cuMemFree_v2(rows));
    assertEquals(0, page.used(0));
  }

  @Test
  void poolsAreCountedWithWhatTheyHave() {
    long first = made(driver.cuMemAllocAsync(out, 40 * MIB, 0));
    refused(driver.cuMemAllocAsync(out, 40 * MIB, 0));
    refused(driver.cuMemAlloc_v2(out, 40 * MIB));
    check(driver.cuMemFreeAsync(first, 0));
    check(driver.cuStreamSynchronize(0));
    made(driver.cuMemAlloc_v2(out, 40 * MIB));
    assertEquals(40 * MIB, page.used(0), "the pool has given back");
  }

  @Test
  void aNamedPoolIsCounted() {
    check(driver.cuDeviceGetDefaultMemPool(out, 0));
    long pool = Native.getLong(out);
    made(driver.cuMemAllocFromPoolAsync(out, 40 * MIB, pool, 0));
    assertTrue(page.used(0) >= 40 * MIB);
    refused(driver.cuMemAllocFromPoolAsync(out, 25 * MIB, pool, 0));
  }

  @Test
  void physicalMemoryIsCountedUntilItIsMappedNowhere() {
    Native.fill(in, AllocationProperties.BYTES, (byte) 0);
    Native.putInt(in, PINNED);
    Native.putInt(in + AllocationProperties.LOCATION, ON_DEVICE);
    long memory = made(driver.cuMemCreate(out, 40 * MIB, in, 0));
    refused(driver.cuMemCreate(out, 40 * MIB, in, 0));
    long address = made(driver.cuMemAddressReserve(out, 40 * MIB, 0, 0, 0));
    check(driver.cuMemMap(address, 40 * MIB, 0, memory, 0));
    check(driver.cuMemRelease(memory));
    assertEquals(40 * MIB, page.used(0));
    refused(driver.cuMemCreate(out, 40 * MIB, in, 0));
    check(driver.cuMemUnmap(address, 40 * MIB));
    assertEquals(0, page.used(0));
    made(driver.cuMemCreate(out, 40 * MIB, in, 0));
  }

  private void describe(long width, long height, long depth) {
    Native.putLong(in, width);
    Native.putLong(in + 8, height);
    Native.putLong(in + 16, depth);
    Native.putInt(in + 24, FLOAT);
    Native.putInt(in + 28, 1);
    Native.putInt(in + 32, 0);
  }

  @Test
  void arraysAreCounted() {
    describe(1024, 1024, 4);
    long array = made(driver.cuArray3DCreate_v2(out, in));
    assertEquals(16 * MIB, page.used(0));
    describe(1024, 1024, 16);
    refused(driver.cuArray3DCreate_v2(out, in));
    check(driver.cuArrayDestroy(array));
    assertEquals(0, page.used(0));
    Native.putLong(in, 4096);
    Native.putLong(in + 8, 4097);
    Native.putInt(in + 16, FLOAT);
    Native.putInt(in + 20, 1);
    refused(driver.cuArrayCreate_v2(out, in));
    Native.putLong(in + 8, 4096);
    made(driver.cuArrayCreate_v2(out, in));
    assertEquals(LIMIT, page.used(0));
  }

  @Test
  void levelsAreCounted() {
    describe(1024, 1024, 0);
    long array = made(driver.cuMipmappedArrayCreate(out, in, 3));
    assertEquals(4 * MIB + MIB + MIB / 4, page.used(0));
    check(driver.cuMipmappedArrayDestroy(array));
    assertEquals(0, page.used(0));
  }

  @Test
  void allocationsInGraphsAreCountedWhenTheyCanBeLaunched() {
    long graph = made(driver.cuGraphCreate(out, 0));
    Native.fill(in, AllocationNode.BYTES, (byte) 0);
    Native.putInt(in, PINNED);
    Native.putInt(in + AllocationProperties.LOCATION, ON_DEVICE);
    Native.putLong(in + AllocationNode.BYTES_ASKED, 40 * MIB);
    made(driver.cuGraphAddMemAllocNode(out, graph, 0, 0, in));
    long executable = made(driver.cuGraphInstantiateWithFlags(out, graph, 0));
    assertEquals(40 * MIB, page.used(0));
    refused(driver.cuMemAlloc_v2(out, 25 * MIB));
    check(driver.cuGraphExecDestroy(executable));
    assertEquals(0, page.used(0));
    long other = made(driver.cuMemAlloc_v2(out, 25 * MIB));
    refused(driver.cuGraphInstantiateWithFlags(out, graph, 0));
    check(driver.cuMemFree_v2(other));
    made(driver.cuGraphInstantiateWithFlags(out, graph, 0));
  }

  @Test
  void devicesLookAsLargeAsTheLimit() {
    check(driver.cuDeviceTotalMem_v2(out, 0));
    assertEquals(LIMIT, Native.getLong(out));
    check(driver.cuDeviceTotalMem_v2(out, 1));
    assertEquals(LIMIT / 2, Native.getLong(out));
    try (NativeBuffer facts = new NativeBuffer(DeviceFacts.BYTES)) {
      check(driver.outboardDeviceFacts(facts.address(), 1));
      assertEquals(LIMIT / 2, Native.getLong(facts.address() + DeviceFacts.TOTAL_MEMORY));
    }
    made(driver.cuMemAlloc_v2(out, 40 * MIB));
    check(driver.cuMemGetInfo_v2(out, second));
    assertEquals(24 * MIB, Native.getLong(out));
    assertEquals(LIMIT, Native.getLong(second));
  }

  @Test
  void theManagementLibraryShowsTheSame() {
    NvmlDriver management = new QuotaManagement(gpu.management(1), credit);
    assertEquals(NvmlResult.SUCCESS, management.nvmlInit_v2());
    assertEquals(NvmlResult.SUCCESS, management.nvmlDeviceGetHandleByIndex_v2(0, out));
    long device = Native.getLong(out);
    made(driver.cuMemAlloc_v2(out, 40 * MIB));
    assertEquals(NvmlResult.SUCCESS, management.nvmlDeviceGetMemoryInfo(device, in));
    assertEquals(LIMIT, Native.getLong(in));
    assertEquals(24 * MIB, Native.getLong(in + 8));
    assertEquals(40 * MIB, Native.getLong(in + 16));
    Native.putInt(in, MemoryV2.VERSION);
    assertEquals(NvmlResult.SUCCESS, management.nvmlDeviceGetMemoryInfo_v2(device, in));
    assertEquals(LIMIT, Native.getLong(in + MemoryV2.TOTAL));
    assertEquals(24 * MIB, Native.getLong(in + MemoryV2.FREE));
    assertEquals(40 * MIB, Native.getLong(in + MemoryV2.FREE + 8));
  }

  @Test
  void onlyDevicesOfTheLeaseAreManaged() {
    NvmlDriver all = gpu.management(1);
    assertEquals(NvmlResult.SUCCESS, all.nvmlInit_v2());
    assertEquals(NvmlResult.SUCCESS, all.nvmlDeviceGetHandleByIndex_v2(1, out));
    long device = Native.getLong(out);
    assertEquals(NvmlResult.SUCCESS, all.nvmlDeviceGetUUID(device, in, 96));
    String uuid = Native.MEMORY.getString(in);
    NvmlDriver own = new AllottedManagement(all, List.of(uuid));
    assertEquals(NvmlResult.SUCCESS, own.nvmlDeviceGetCount_v2(out));
    assertEquals(1, Native.getInt(out));
    assertEquals(NvmlResult.SUCCESS, own.nvmlDeviceGetHandleByIndex_v2(0, out));
    assertEquals(device, Native.getLong(out));
    assertEquals(NvmlResult.INVALID_ARGUMENT, own.nvmlDeviceGetHandleByIndex_v2(1, out));
    assertEquals(NvmlResult.SUCCESS, own.nvmlDeviceGetIndex(device, out));
    assertEquals(0, Native.getInt(out));
    NvmlDriver none = new AllottedManagement(all, List.of("GPU-other"));
    assertEquals(NvmlResult.NOT_FOUND, none.nvmlDeviceGetHandleByUUID(in, out));
  }
}
