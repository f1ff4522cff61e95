// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

import static io.outboard.softgpu.Program.ok;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaResult;
import io.outboard.cuda.struct.DeviceFacts;
import io.outboard.softgpu.base.Texts;
import io.outboard.wire.Native;
import org.junit.jupiter.api.Test;

class DeviceTest extends DriverTest {
  /** Attributes that a runtime of CUDA 13 asks for when it starts. */
  private static final int[][] ASKED = {
    {1, 12},
    {14, 14},
    {16, 16},
    {18, 19},
    {21, 35},
    {37, 43},
    {45, 68},
    {70, 86},
    {88, 91},
    {95, 95},
    {97, 97},
    {99, 101},
    {106, 106},
    {108, 109},
    {111, 121},
    {125, 125},
    {129, 131},
    {133, 134},
    {139, 140},
    {143, 143}
  };

  @Test
  void knowsEveryFigureThatARuntimeAsksFor() {
    for (int[] range : ASKED) {
      for (int attribute = range[0]; attribute <= range[1]; attribute++) {
        ok(driver().cuDeviceGetAttribute(program().out(), attribute, 0));
      }
    }
    assertEquals(CudaResult.INVALID_VALUE, driver().cuDeviceGetAttribute(program().out(), 0, 0));
    assertEquals(CudaResult.INVALID_VALUE, driver().cuDeviceGetAttribute(program().out(), 159, 0));
    assertEquals(CudaResult.INVALID_DEVICE, driver().cuDeviceGetAttribute(program().out(), 1, 2));
  }

  @Test
  void tellsAllFactsInOneAnswer() {
    long facts = program().bytes(DeviceFacts.BYTES);
    ok(driver().outboardDeviceFacts(facts, 1));
    assertEquals("Outboard Software GPU", Texts.read(facts));
    assertEquals(MEMORY_BYTES, Native.getLong(facts + DeviceFacts.TOTAL_MEMORY));
    assertEquals(13_000, Native.getInt(facts + DeviceFacts.DRIVER_VERSION));
    assertEquals(32, Native.getInt(facts + DeviceFacts.ATTRIBUTE_VALUES + 4 * 10));
    assertTrue((Native.getLong(facts + DeviceFacts.KNOWN) & 1L << 10) != 0);
    assertEquals(0, Native.getLong(facts + DeviceFacts.KNOWN) & 1);
  }

  @Test
  void identityStays() {
    long first = uuid(driver(), 0);
    CudaDriver again = create();
    ok(again.cuInit(0));
    assertEquals(first, uuid(again, 0));
    assertNotEquals(first, uuid(again, 1));
  }

  private long uuid(CudaDriver asked, int device) {
    ok(asked.cuDeviceGetUuid_v2(program().out(), device));
    return program().value();
  }

  @Test
  void findsDevicesByTheirAddress() {
    long name = program().bytes(32);
    ok(driver().cuDeviceGetPCIBusId(name, 32, 1));
    assertEquals("0000:02:00.0", Texts.read(name));
    for (String address : new String[] {"0000:02:00.0", "02:00.0", "0000:02:00", "02:00"}) {
      ok(driver().cuDeviceGetByPCIBusId(program().out(), program().text(address)));
      assertEquals(1, program().intValue());
    }
    assertEquals(
        CudaResult.INVALID_DEVICE,
        driver().cuDeviceGetByPCIBusId(program().out(), program().text("0000:09:00.0")));
  }

  @Test
  void devicesDoNotReachEachOther() {
    ok(driver().cuDeviceCanAccessPeer(program().out(), 0, 1));
    assertEquals(0, program().intValue());
    ok(driver().cuDeviceGetP2PAttribute(program().out(), 1, 0, 1));
    assertEquals(
        CudaResult.INVALID_VALUE, driver().cuDeviceGetP2PAttribute(program().out(), 9, 0, 1));
    ok(driver().cuDeviceGetCount(program().out()));
    assertEquals(2, program().intValue());
  }
}
