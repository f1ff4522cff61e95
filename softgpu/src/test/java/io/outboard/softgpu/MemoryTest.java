// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

import static io.outboard.softgpu.Program.ok;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.cuda.CudaResult;
import io.outboard.wire.Native;
import org.junit.jupiter.api.Test;

class MemoryTest extends DriverTest {
  @Test
  void addressesLieWhereProgramsHaveNothing() {
    long address = program().allocate(1000);
    assertEquals(0x2a0, address >>> 36);
    assertEquals(0, address % 256);
  }

  @Test
  void wrongSizesAndAddressesAreInvalid() {
    assertEquals(CudaResult.INVALID_VALUE, driver().cuMemAlloc_v2(program().out(), 0));
    assertEquals(CudaResult.INVALID_VALUE, driver().cuMemAlloc_v2(0, 100));
    assertEquals(CudaResult.INVALID_VALUE, driver().cuMemFree_v2(0x1234));
    ok(driver().cuMemFree_v2(0));
    long address = program().allocate(1000);
    assertEquals(CudaResult.INVALID_VALUE, driver().cuMemFree_v2(address + 4));
    ok(driver().cuMemFree_v2(address));
    assertEquals(CudaResult.INVALID_VALUE, driver().cuMemFree_v2(address));
  }

  @Test
  void memoryEndsAndComesBack() {
    long half = MEMORY_BYTES / 2;
    long first = program().allocate(half);
    assertEquals(CudaResult.OUT_OF_MEMORY, driver().cuMemAlloc_v2(program().out(), half + 1));
    assertEquals(CudaResult.OUT_OF_MEMORY, driver().cuMemAlloc_v2(program().out(), Long.MAX_VALUE));
    assertEquals(CudaResult.OUT_OF_MEMORY, driver().cuMemAlloc_v2(program().out(), -1));
    ok(driver().cuMemGetInfo_v2(program().out(), program().out2()));
    assertEquals(half, Native.getLong(program().out()));
    assertEquals(MEMORY_BYTES, Native.getLong(program().out2()));
    ok(driver().cuMemFree_v2(first));
    assertEquals(first, program().allocate(MEMORY_BYTES));
  }

  @Test
  void copiesBeyondAnAllocationAreInvalid() {
    long address = program().allocate(1000);
    long host = program().bytes(2000);
    assertEquals(CudaResult.INVALID_VALUE, driver().cuMemcpyHtoD_v2(address, host, 1001));
    assertEquals(CudaResult.INVALID_VALUE, driver().cuMemcpyHtoD_v2(address + 1, host, 1000));
    assertEquals(CudaResult.INVALID_VALUE, driver().cuMemcpyDtoH_v2(host, address - 1, 10));
    assertEquals(CudaResult.INVALID_VALUE, driver().cuMemcpyDtoH_v2(host, 0x1000, 10));
    assertEquals(CudaResult.INVALID_VALUE, driver().cuMemcpyDtoH_v2(host, address, -1));
    assertEquals(CudaResult.INVALID_VALUE, driver().cuMemcpyDtoD_v2(address, address + 900, 101));
    assertEquals(CudaResult.INVALID_VALUE, driver().cuMemsetD8_v2(address, (byte) 0, 1001));
    assertEquals(CudaResult.INVALID_VALUE, driver().cuMemsetD32_v2(address, 0, 251));
    assertEquals(CudaResult.INVALID_VALUE, driver().cuMemsetD32_v2(address, 0, 1L << 62));
    assertEquals(CudaResult.INVALID_VALUE, driver().cuMemsetD32_v2(address + 2, 0, 1));
    ok(driver().cuMemcpyHtoD_v2(address, host, 1000));
    ok(driver().cuMemcpyHtoD_v2(0x1000, host, 0));
  }

  @Test
  void setsEveryWidth() {
    long address = program().allocate(16);
    ok(driver().cuMemsetD32_v2(address, 0x01020304, 4));
    ok(driver().cuMemsetD16_v2(address + 4, (short) 0x0506, 3));
    ok(driver().cuMemsetD8_v2(address + 11, (byte) 7, 2));
    assertArrayEquals(
        new int[] {0x01020304, 0x05060506, 0x07020506, 0x01020307}, program().read(address, 4));
  }

  @Test
  void setsAndCopiesRectangles() {
    ok(driver().cuMemAllocPitch_v2(program().out(), program().out2(), 12, 3, 4));
    long address = Native.getLong(program().out());
    long pitch = Native.getLong(program().out2());
    assertEquals(512, pitch);
    ok(driver().cuMemsetD8_v2(address, (byte) 0, 3 * pitch));
    ok(driver().cuMemsetD2D32_v2(address, pitch, 9, 2, 3));
    ok(driver().cuMemsetD2D8_v2(address + pitch + 4, pitch, (byte) 1, 4, 2));
    long packed = program().allocate(36);
    ok(driver().outboardMemcpy2D(packed, 12, address, pitch, 12, 3, 0));
    assertArrayEquals(
        new int[] {9, 9, 0, 9, 0x01010101, 0, 9, 0x01010101, 0}, program().read(packed, 9));
    assertEquals(
        CudaResult.INVALID_VALUE, driver().outboardMemcpy2D(packed, 12, address, pitch, 12, 4, 0));
    assertEquals(CudaResult.INVALID_VALUE, driver().cuMemsetD2D8_v2(address, 4, (byte) 0, 8, 2));
  }

  @Test
  void tellsTheRangeOfAnAddress() {
    long address = program().allocate(1000);
    ok(driver().cuMemGetAddressRange_v2(program().out(), program().out2(), address + 999));
    assertEquals(address, Native.getLong(program().out()));
    assertEquals(1000, Native.getLong(program().out2()));
    ok(driver().cuMemGetAddressRange_v2(0, program().out(), address));
    assertEquals(1000, program().value());
    assertEquals(
        CudaResult.NOT_FOUND,
        driver().cuMemGetAddressRange_v2(program().out(), program().out2(), address + 1000));
  }

  @Test
  void takesTheSourceAtTheCall() {
    long log = program().array(new int[64]);
    long dummy = program().allocate(4);
    long stream = program().stream(1);
    long late = program().function(program().module(), "appendLate");
    long host = program().ints(5);
    long target = program().allocate(4);
    ok(program().launchOne(late, stream, log, 1, dummy, 1_000_000));
    ok(driver().cuMemcpyHtoDAsync_v2(target, host, 4, stream));
    Native.putInt(host, 6);
    ok(driver().cuStreamSynchronize(stream));
    assertArrayEquals(new int[] {5}, program().read(target, 1));
  }

  @Test
  void copiesBetweenDevices() {
    long here = program().array(1, 2, 3);
    ok(driver().cuCtxCreate_v2(program().out(), 0, 1));
    long there = program().allocate(12);
    assertTrue(there - here >= 1L << 39);
    ok(driver().cuMemcpyDtoD_v2(there, here, 12));
    assertArrayEquals(new int[] {1, 2, 3}, program().read(there, 3));
  }
}
