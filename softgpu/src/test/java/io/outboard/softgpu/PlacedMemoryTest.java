// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

import static io.outboard.softgpu.Program.ok;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.outboard.cuda.CudaResult;
import io.outboard.softgpu.memory.Mapping;
import io.outboard.wire.Native;
import org.junit.jupiter.api.Test;

/** Memory of the program that kernels use at the program's address. */
class PlacedMemoryTest extends DriverTest {
  private static final int DEVICE_MAP = 2;
  private static final long MAPPED = 2L << 20;

  private static final String ADD =
      """
      .version 6.3
      .target sm_75
      .address_size 64
      .visible .entry add(.param .u64 to)
      {
      .reg .b64 %to;
      .reg .b32 %a;
      ld.param.u64 %to, [to];
      ld.u32 %a, [%to];
      add.u32 %a, %a, 10;
      st.global.u32 [%to], %a;
      atom.global.add.u32 %a, [%to], 1;
      ret;
      }
      """;

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

  /** A stream waits for a value in it, wherever it lies, and writes one there. */
  @Test
  void streamsReachItsWords() {
    long address = program().bytes(Mapping.PAGE);
    Native.putInt(address, 0);
    assertEquals(CudaResult.INVALID_VALUE, driver().cuStreamWaitValue32_v2(0, address, 1, 0));
    ok(driver().outboardHostMap(program().out(), address, Mapping.PAGE, DEVICE_MAP));
    long past = address + Mapping.PAGE;
    assertEquals(CudaResult.INVALID_VALUE, driver().cuStreamWaitValue32_v2(0, past, 1, 0));
    long stream = program().stream(1);
    ok(driver().cuStreamWaitValue32_v2(stream, address, 1, 0));
    ok(driver().cuStreamWriteValue32_v2(stream, past - 4, 5, 0));
    assertEquals(CudaResult.NOT_READY, driver().cuStreamQuery(stream));
    Native.putInt(address, 1);
    ok(driver().cuStreamSynchronize(stream));
    assertEquals(5, Native.getInt(past - 4));
    ok(driver().outboardHostUnmap(address));
    assertEquals(CudaResult.INVALID_VALUE, driver().cuStreamWaitValue32_v2(0, address, 1, 0));
  }

  private void onSecondDevice() {
    ok(driver().cuDevicePrimaryCtxRetain(program().out(), 1));
    ok(driver().cuCtxSetCurrent(program().value()));
  }

  private void addTo(long address) {
    long function = program().function(program().module(ADD), "add");
    ok(program().launchOne(function, 0, address));
    ok(driver().cuCtxSynchronize());
  }

  @Test
  void kernelsOfAllDevicesUseManagedMemory() {
    long address = place();
    mapHere(address);
    ok(driver().outboardManagedMap(address, Mapping.PAGE));
    addTo(address);
    onSecondDevice();
    addTo(address);
    assertEquals(22, Native.getInt(address));
    ok(driver().outboardManagedUnmap(address));
    Mapping.unmap(address, Mapping.PAGE);
  }

  @Test
  void kernelsOfAllDevicesUsePagesThatTravel() {
    onSecondDevice();
    long free = free();
    ok(driver().outboardPagesAllocate(program().out(), 3 * Mapping.PAGE));
    long address = program().value();
    assertEquals(free - 3 * Mapping.PAGE, free());
    addTo(address);
    ok(driver().cuDevicePrimaryCtxRetain(program().out(), 0));
    ok(driver().cuCtxSetCurrent(program().value()));
    addTo(address);
    assertArrayEquals(new int[] {22}, program().read(address, 1));
    ok(driver().cuMemFree_v2(address));
    assertEquals(CudaResult.INVALID_VALUE, driver().cuMemFree_v2(address));
    onSecondDevice();
    assertEquals(free, free());
  }

  @Test
  void pagesThatTravelEndWithTheirContext() {
    onSecondDevice();
    ok(driver().outboardPagesAllocate(program().out(), Mapping.PAGE));
    long address = program().value();
    ok(driver().cuDevicePrimaryCtxReset_v2(1));
    ok(driver().cuDevicePrimaryCtxRetain(program().out(), 0));
    ok(driver().cuCtxSetCurrent(program().value()));
    assertEquals(CudaResult.INVALID_VALUE, driver().cuMemFree_v2(address));
  }

  private long free() {
    ok(driver().cuMemGetInfo_v2(program().out(), program().out2()));
    return program().value();
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

  private long managedOf(long library) {
    ok(driver().cuLibraryGetManaged(program().out(), 0, library, program().text("counter")));
    return program().value();
  }

  private void count(long library) {
    ok(driver().cuLibraryGetKernel(program().out(), library, program().text("count")));
    ok(program().launchOne(program().value(), 0));
    ok(driver().cuCtxSynchronize());
  }

  @Test
  void managedVariablesOfLibrariesAreTheSameForAllDevices() {
    byte[] image = (KERNELS + "\0").getBytes(UTF_8);
    ok(driver().cuLibraryLoadData(program().out(), program().image(image), image.length));
    long library = program().value();
    long counter = managedOf(library);
    mapHere(counter);
    ok(driver().outboardManagedMap(counter, Mapping.PAGE));
    count(library);
    onSecondDevice();
    count(library);
    assertEquals(counter, managedOf(library));
    assertEquals(25, Native.getInt(counter));
    ok(driver().cuDevicePrimaryCtxReset_v2(0));
    count(library);
    assertEquals(35, Native.getInt(counter));
    ok(driver().outboardManagedUnmap(counter));
    Mapping.unmap(counter, Mapping.PAGE);
    ok(driver().cuLibraryUnload(library));
    assertEquals(CudaResult.INVALID_VALUE, driver().cuMemsetD32_v2(counter, 9, 1));
  }

  /** Access was given to the first device alone; memory for all devices lies nearby. */
  @Test
  void memoryThatANeighbourHasMappedIsOutOfReach() {
    long common = place();
    mapHere(common);
    ok(driver().outboardHostMap(program().out(), common, Mapping.PAGE, DEVICE_MAP));
    long mapped = program().mapped(program().physical(MAPPED), MAPPED);
    ok(program().launchOne(program().function(program().module(ADD), "add"), 0, mapped));
    assertArrayEquals(new int[] {11}, program().read(mapped, 1));
    ok(driver().cuDevicePrimaryCtxRetain(program().out(), 1));
    ok(driver().cuCtxSetCurrent(program().value()));
    long add = program().function(program().module(ADD), "add");
    ok(program().launchOne(add, 0, common));
    ok(driver().cuCtxSynchronize());
    assertEquals(11, Native.getInt(common));
    ok(program().launchOne(add, 0, mapped));
    assertEquals(CudaResult.ILLEGAL_ADDRESS, driver().cuCtxSynchronize());
    ok(driver().cuDevicePrimaryCtxReset_v2(1));
  }
}
