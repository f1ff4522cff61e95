// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

import static io.outboard.softgpu.Program.ok;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaResult;
import io.outboard.softgpu.memory.Mapping;
import io.outboard.wire.Native;
import org.junit.jupiter.api.Test;

/** Memory of the program that kernels use at the program's address; there is one device. */
class PlacedMemoryTest extends DriverTest {
  private static final int DEVICE_MAP = 2;

  private static final String KERNELS =
      """
      .version 6.3
      .target sm_75
      .address_size 64
      .visible .global .align 4 .u32 plain = 3;
      .visible .global .attribute(.managed) .align 4 .u32 counter = 5;
      .visible .entry count()
      {
      .reg .b32 %a;
      ld.global.u32 %a, [counter];
      add.u32 %a, %a, 10;
      st.global.u32 [counter], %a;
      ret;
      }
      """;

  @Override
  CudaDriver create() {
    return SoftGpu.builder(console()).devices(1).memoryBytes(MEMORY_BYTES).build();
  }

  /** Maps a page of a file at an address of this process, as a worker does for its client. */
  private static void mapHere(long address) {
    int file = Mapping.file(Mapping.PAGE);
    Mapping.replace(address, Mapping.PAGE, file, 0);
    Mapping.close(file);
  }

  private long place() {
    ok(driver().outboardManagedPlace(program().out(), Mapping.PAGE));
    return program().value();
  }

  @Test
  void pageLockedMemoryIsTheDevicesToo() {
    long address = place();
    mapHere(address);
    ok(driver().outboardHostMap(program().out(), address, Mapping.PAGE, DEVICE_MAP));
    assertEquals(address, program().value());
    Native.putInt(address + 8, 77);
    assertArrayEquals(new int[] {0, 77}, program().read(address + 4, 2));
    ok(driver().cuMemsetD32_v2(address, 9, 2));
    assertEquals(9, Native.getInt(address + 4));
    ok(driver().outboardHostUnmap(address));
    assertEquals(CudaResult.INVALID_VALUE, driver().cuMemsetD32_v2(address, 9, 2));
    Mapping.unmap(address, Mapping.PAGE);
    assertEquals(address, place());
  }

  @Test
  void memoryElsewhereIsNot() {
    long address = program().bytes(Mapping.PAGE);
    ok(driver().outboardHostMap(program().out(), address, Mapping.PAGE, DEVICE_MAP));
    assertEquals(0, program().value());
    long placed = place();
    ok(driver().outboardHostMap(program().out(), placed, Mapping.PAGE, 0));
    assertEquals(0, program().value());
    ok(driver().outboardHostUnmap(address));
  }

  private long variable(long module, String name) {
    ok(driver().cuModuleGetGlobal_v2(program().out(), 0, module, program().text(name)));
    return program().value();
  }

  private long sharable(long address) {
    ok(driver().outboardManagedVariable(program().out(), address));
    return program().value();
  }

  @Test
  void managedVariablesMoveIntoMemoryOfTheProgram() {
    long module = program().module(KERNELS);
    long counter = variable(module, "counter");
    ok(program().launchOne(program().function(module, "count"), 0));
    assertEquals(Mapping.PAGE, sharable(counter));
    assertEquals(0, sharable(variable(module, "plain")));
    assertEquals(0, sharable(counter + 1));
    mapHere(counter);
    assertEquals(CudaResult.INVALID_VALUE, driver().outboardManagedMap(counter, 100));
    ok(driver().outboardManagedMap(counter, Mapping.PAGE));
    assertEquals(15, Native.getInt(counter));
    Native.putInt(counter, 100);
    ok(program().launchOne(program().function(module, "count"), 0));
    ok(driver().cuCtxSynchronize());
    assertEquals(110, Native.getInt(counter));
    assertEquals(0, sharable(counter));
    assertEquals(CudaResult.ALREADY_MAPPED, driver().outboardManagedMap(counter, Mapping.PAGE));
    ok(driver().outboardManagedUnmap(counter));
    Mapping.unmap(counter, Mapping.PAGE);
    assertEquals(CudaResult.INVALID_VALUE, driver().outboardManagedUnmap(counter));
    ok(driver().cuModuleUnload(module));
    long again = variable(program().module(KERNELS), "counter");
    assertEquals(counter, again);
    assertArrayEquals(new int[] {5}, program().read(again, 1));
  }

  @Test
  void librariesTellTheirManagedVariables() {
    byte[] image = (KERNELS + "\0").getBytes(UTF_8);
    ok(driver().cuLibraryLoadData(program().out(), program().image(image), image.length));
    long library = program().value();
    long out = program().out();
    ok(driver().cuLibraryGetManaged(out, program().out2(), library, program().text("counter")));
    assertEquals(4, Native.getLong(program().out2()));
    assertArrayEquals(new int[] {5}, program().read(program().value(), 1));
    for (String other : new String[] {"plain", "nothing"}) {
      assertEquals(
          CudaResult.NOT_FOUND,
          driver().cuLibraryGetManaged(out, 0, library, program().text(other)));
    }
  }
}
