// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

import static io.outboard.softgpu.Program.ok;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaResult;
import io.outboard.wire.Native;
import io.outboard.wire.Slot;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Addresses in a slot, and addresses that the program wishes for. */
class SlotTest extends DriverTest {
  private static final long UNIT = 2L << 20;

  private SoftGpu.Builder in(int slot) {
    return SoftGpu.builder(console()).memoryBytes(MEMORY_BYTES).in(new Slot(slot));
  }

  @Test
  void noTwoSlotsHaveAnAddressInCommon() {
    for (int a = 0; a < Slot.MOST; a++) {
      for (int b = 0; b < Slot.MOST; b++) {
        Slot other = new Slot(b);
        for (long first : new long[] {new Slot(a).upper(), new Slot(a).lower()}) {
          assertEquals(a == b, other.holds(first));
          assertEquals(a == b, other.holds(first + Slot.BYTES - 1));
        }
      }
    }
    assertThrows(IllegalArgumentException.class, () -> new Slot(Slot.MOST));
  }

  @Test
  void everyAddressLiesInTheSlotOfItsDevice() {
    Set<Long> seen = new HashSet<>();
    for (int number = 0; number < Slot.MOST; number++) {
      Slot slot = new Slot(number);
      CudaDriver gpu = in(number).devices(16).build();
      try (Program program = new Program(gpu)) {
        ok(gpu.cuInit(0));
        for (int device = 0; device < 16; device++) {
          ok(gpu.cuDevicePrimaryCtxRetain(program.out(), device));
          ok(gpu.cuCtxSetCurrent(program.value()));
          long memory = program.allocate(1 << 20);
          assertTrue(slot.holds(memory) && slot.holds(memory + (1 << 20) - 1));
          ok(gpu.cuMemAddressReserve(program.out(), 1L << 35, 0, 0, 0));
          long reserved = program.value();
          assertTrue(slot.holds(reserved) && slot.holds(reserved + (1L << 35) - 1));
          assertTrue(seen.add(memory) && seen.add(reserved));
          ok(gpu.cuMemsetD32_v2(memory, device, 4));
          ok(gpu.cuMemcpyDtoH_v2(program.out(), memory, 16));
          assertEquals(device, Native.getInt(program.out() + 12));
        }
        assertEquals(0, gpu.cuCtxSetCurrent(0));
      }
    }
  }

  @Test
  void memoryWithoutRoomInTheSlotIsRefused() {
    SoftGpu.Builder large = in(1).devices(16).memoryBytes(1L << 38);
    assertThrows(IllegalArgumentException.class, large::build);
  }

  @Test
  void oneHostsDevicesAreOthersInAnotherSlot() {
    assertArrayEquals(uuid(in(0).build()), uuid(in(0).build()));
    assertNotEquals(uuid(in(0).build())[0], uuid(in(1).build())[0]);
  }

  private long[] uuid(CudaDriver gpu) {
    ok(gpu.cuInit(0));
    ok(gpu.cuDeviceGetUuid_v2(program().out(), 0));
    return new long[] {program().value(), Native.getLong(program().out2())};
  }

  /** A sum that wraps is no range. */
  @Test
  void rangesBeyondAllAddressesAreRefused() {
    long reserved = reserve(UNIT, 0);
    for (long address : new long[] {reserved, Long.MAX_VALUE, Long.MIN_VALUE, 0}) {
      for (long bytes : new long[] {Long.MAX_VALUE, Long.MIN_VALUE, -1, 0}) {
        assertEquals(CudaResult.INVALID_VALUE, driver().cuMemUnmap(address, bytes));
        assertEquals(CudaResult.INVALID_VALUE, driver().cuMemAddressFree(address, bytes));
        assertEquals(
            CudaResult.INVALID_VALUE, driver().cuMemSetAccess(address, bytes, reserved, 1));
        assertEquals(
            CudaResult.INVALID_VALUE,
            driver().cuMemGetAccess(program().out(), program().out2(), address));
      }
    }
  }

  private long reserve(long bytes, long wished) {
    ok(driver().cuMemAddressReserve(program().out(), bytes, 0, wished, 0));
    return program().value();
  }

  @Test
  void aFreeAddressThatIsWishedForIsReserved() {
    long first = reserve(UNIT, 0);
    long wished = first + (64L << 30);
    assertEquals(wished, reserve(8 * UNIT, wished));
    assertEquals(wished - UNIT, reserve(UNIT, wished - UNIT));
    assertEquals(wished + 8 * UNIT, reserve(UNIT, wished + 8 * UNIT));
    ok(driver().cuMemAddressFree(wished, 8 * UNIT));
    assertEquals(wished + UNIT, reserve(UNIT, wished + UNIT));
  }

  @Test
  void oneThatIsTakenOrElsewhereMoves() {
    long wished = reserve(8 * UNIT, 0) + (64L << 30);
    reserve(8 * UNIT, wished);
    for (long other : new long[] {wished, wished - UNIT, wished + 7 * UNIT, UNIT}) {
      long moved = reserve(2 * UNIT, other);
      assertNotEquals(other, moved);
      assertFalse(moved < wished + 8 * UNIT && moved + 2 * UNIT > wished);
    }
    assertEquals(
        CudaResult.INVALID_VALUE,
        driver().cuMemAddressReserve(program().out(), UNIT, 0, wished + 1, 0));
  }
}
