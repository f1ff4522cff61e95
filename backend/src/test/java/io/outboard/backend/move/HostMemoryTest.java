// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.move;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.outboard.backend.devices.SilentConsole;
import io.outboard.backend.system.NativeBuffer;
import io.outboard.communicator.posix.Memory;
import io.outboard.communicator.posix.Posix;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaResult;
import io.outboard.cuda.struct.Memcpy3D;
import io.outboard.softgpu.SoftGpu;
import io.outboard.wire.Native;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HostMemoryTest {
  private static final int SEALS = Memory.F_SEAL_SHRINK | Memory.F_SEAL_GROW;
  private static final long PLACE = 0x1800_0000_0000L;
  private static final long BYTES = 1 << 20;

  private final Deque<Integer> passed = new ArrayDeque<>();
  private final CudaDriver driver =
      new HostMemory(
          SoftGpu.builder(new SilentConsole()).build(),
          () -> passed.isEmpty() ? -1 : passed.remove(),
          Optional.empty());
  private final NativeBuffer scratch = new NativeBuffer(4096);
  private long device;

  @BeforeEach
  void open() {
    assertEquals(0, driver.cuInit(0));
    assertEquals(0, driver.cuDevicePrimaryCtxRetain(scratch.address(), 0));
    assertEquals(0, driver.cuCtxSetCurrent(Native.getLong(scratch.address())));
    assertEquals(0, driver.cuMemAlloc_v2(scratch.address(), BYTES));
    device = Native.getLong(scratch.address());
  }

  @AfterEach
  void close() {
    scratch.close();
  }

  private static int file(long bytes, int seals) {
    int descriptor = Memory.memfdCreate("test", Memory.MFD_CLOEXEC | Memory.MFD_ALLOW_SEALING);
    assertEquals(0, Memory.ftruncate(descriptor, bytes));
    assertEquals(0, Posix.fcntl(descriptor, Posix.F_ADD_SEALS, seals));
    return descriptor;
  }

  private int map(int descriptor, long address) {
    passed.add(descriptor);
    return driver.outboardHostMap(scratch.address(), address, BYTES, 0);
  }

  @Test
  void bytesGoBothWays() {
    assertEquals(0, map(file(BYTES, SEALS), PLACE));
    Native.fill(PLACE, BYTES, (byte) 7);
    assertEquals(0, driver.outboardCopyFromHost(device, PLACE, BYTES, 0, 0));
    assertEquals(0, driver.cuCtxSynchronize());
    Native.fill(PLACE, BYTES, (byte) 0);
    assertEquals(0, driver.outboardCopyToHost(PLACE + 8, device, BYTES - 8, 0, 0));
    assertEquals(0, driver.cuCtxSynchronize());
    assertEquals(0, Native.getByte(PLACE + 7));
    assertEquals(7, Native.getByte(PLACE + 8));
    assertEquals(7, Native.getByte(PLACE + BYTES - 1));
    assertEquals(0, driver.outboardHostUnmap(PLACE));
  }

  @Test
  void theWordHasTheResult() {
    assertEquals(0, map(file(BYTES, SEALS), PLACE));
    assertEquals(0, driver.outboardCopyFromHost(device, PLACE + 64, 128, 0, PLACE));
    assertEquals(1, Native.getLong(PLACE));
    assertEquals(0, driver.outboardCopyToHost(PLACE + 64, 12345, 128, 0, PLACE + 8));
    assertEquals(1 + CudaResult.INVALID_VALUE, Native.getLong(PLACE + 8));
    assertEquals(0, driver.outboardHostUnmap(PLACE));
  }

  @Test
  void whatIsNotSharedIsNotTouched() {
    long own = scratch.address();
    assertEquals(0, map(file(BYTES, SEALS), PLACE));
    assertRefused(own, 16, 0);
    assertRefused(PLACE, BYTES + 1, 0);
    assertRefused(PLACE - 1, 16, 0);
    assertRefused(PLACE, -1, 0);
    assertRefused(PLACE, 16, own);
    assertRefused(PLACE, 16, PLACE + 4);
    assertRefused(PLACE, 16, PLACE + BYTES);
    assertEquals(0, driver.outboardHostUnmap(PLACE));
    assertRefused(PLACE, 16, 0);
    assertEquals(CudaResult.INVALID_VALUE, driver.outboardHostUnmap(PLACE));
  }

  private void assertRefused(long address, long bytes, long word) {
    int invalid = CudaResult.INVALID_VALUE;
    assertEquals(invalid, driver.outboardCopyFromHost(device, address, bytes, 0, word));
    assertEquals(invalid, driver.outboardCopyToHost(address, device, bytes, 0, word));
  }

  @Test
  void aFileThatCouldEndTheWorkerIsRefused() {
    assertEquals(CudaResult.INVALID_VALUE, map(file(BYTES, Memory.F_SEAL_GROW), PLACE));
    assertEquals(CudaResult.INVALID_VALUE, map(file(BYTES - 1, SEALS), PLACE));
    assertEquals(
        CudaResult.INVALID_VALUE, driver.outboardHostMap(scratch.address(), PLACE, BYTES, 0));
  }

  /** The program shares it with others, who could not use a file that is sealed. */
  @Test
  void whatIsRegisteredIsAPartOfAnyFile() {
    assertEquals(0, register(file(2 * BYTES, 0), BYTES, BYTES));
    assertEquals(0, driver.outboardCopyToHost(PLACE, device, BYTES, 0, 0));
    assertEquals(0, driver.outboardHostUnmap(PLACE));
    assertEquals(CudaResult.INVALID_VALUE, register(file(2 * BYTES, 0), BYTES, 2 * BYTES));
    assertEquals(CudaResult.INVALID_VALUE, register(file(BYTES, 0), BYTES, -BYTES));
    assertEquals(CudaResult.INVALID_VALUE, register(file(BYTES, 0), 0, 0));
  }

  private int register(int descriptor, long bytes, long offset) {
    passed.add(descriptor);
    return driver.outboardHostRegister(scratch.address(), PLACE, bytes, offset, 0);
  }

  /** A call that was told an earlier error instead of being made has left its descriptor. */
  @Test
  void theNewestDescriptorIsTheCalls() {
    passed.add(file(4096, SEALS));
    assertEquals(0, map(file(BYTES, SEALS), PLACE));
    assertEquals(0, passed.size());
    Native.putByte(PLACE + BYTES - 1, (byte) 1);
    assertEquals(0, driver.outboardHostUnmap(PLACE));
  }

  @Test
  void nothingIsMappedOverWhatIsThere() {
    Native.putLong(scratch.address() + 8, 42);
    assertEquals(CudaResult.ALREADY_MAPPED, map(file(BYTES, SEALS), scratch.address()));
    assertEquals(42, Native.getLong(scratch.address() + 8));
    assertEquals(0, map(file(BYTES, SEALS), PLACE));
    assertEquals(CudaResult.ALREADY_MAPPED, map(file(BYTES, SEALS), PLACE));
    assertEquals(0, driver.outboardHostUnmap(PLACE));
  }

  /** The software GPU's threads may still copy: the mapping stays until they have. */
  @Test
  void aMappingStaysWhileItIsUsed() {
    for (int i = 0; i < 200; i++) {
      assertEquals(0, map(file(BYTES, SEALS), PLACE));
      assertEquals(0, driver.outboardCopyFromHost(device, PLACE, BYTES, 0, 0));
      assertEquals(0, driver.outboardHostUnmap(PLACE));
    }
  }

  private long mapManaged() {
    assertEquals(0, driver.outboardManagedPlace(scratch.address(), BYTES));
    long place = Native.getLong(scratch.address());
    passed.add(file(BYTES, SEALS));
    assertEquals(0, driver.outboardManagedMap(place, BYTES));
    return place;
  }

  @Test
  void managedMemoryIsTheDevicesToo() {
    long place = mapManaged();
    assertEquals(0, driver.cuMemsetD8_v2(place + 5, (byte) 9, 10));
    assertEquals(0, driver.cuCtxSynchronize());
    assertEquals(0, Native.getByte(place + 4));
    assertEquals(9, Native.getByte(place + 5));
    Native.fill(place, BYTES, (byte) 4);
    assertEquals(0, driver.cuMemcpyDtoD_v2(device, place, BYTES));
    assertEquals(0, driver.cuMemcpyDtoH_v2(scratch.address() + 8, device + BYTES - 8, 8));
    assertEquals(0x0404040404040404L, Native.getLong(scratch.address() + 8));
    assertEquals(CudaResult.INVALID_VALUE, driver.cuMemFree_v2(place));
    assertEquals(0, driver.outboardManagedUnmap(place));
    assertEquals(CudaResult.INVALID_VALUE, driver.cuMemsetD8_v2(place, (byte) 9, 10));
    assertEquals(CudaResult.INVALID_VALUE, driver.outboardManagedUnmap(place));
  }

  @Test
  void managedMemoryIsMappedWhereItWasPlaced() {
    passed.add(file(BYTES, SEALS));
    assertEquals(CudaResult.INVALID_VALUE, driver.outboardManagedMap(PLACE, BYTES));
    long place = mapManaged();
    passed.add(file(BYTES, SEALS));
    assertEquals(CudaResult.ALREADY_MAPPED, driver.outboardManagedMap(place, BYTES));
    assertEquals(0, driver.outboardManagedUnmap(place));
  }

  @Test
  void whatIsMappedInOneWayIsNotUnmappedInAnother() {
    assertEquals(0, map(file(BYTES, SEALS), PLACE));
    assertEquals(CudaResult.INVALID_VALUE, driver.outboardManagedUnmap(PLACE));
    Native.putByte(PLACE, (byte) 1);
    assertEquals(0, driver.outboardHostUnmap(PLACE));
  }

  private long buffer(long bytes) {
    assertEquals(0, driver.outboardStagingMake(scratch.address(), bytes));
    return Native.getLong(scratch.address());
  }

  @Test
  void aStagingBufferHoldsWhatIsStored() {
    long buffer = buffer(100);
    long data = scratch.address() + 64;
    Native.putLong(data, 42);
    assertEquals(0, driver.outboardStagingStore(buffer + 8, data, 8));
    assertEquals(0, driver.outboardStagingLoad(data + 8, buffer + 8, 8));
    assertEquals(42, Native.getLong(data + 8));
    assertEquals(0, driver.outboardStagingEnd(buffer));
    assertEquals(CudaResult.INVALID_VALUE, driver.outboardStagingLoad(data, buffer, 8));
    assertEquals(CudaResult.INVALID_VALUE, driver.outboardStagingEnd(buffer));
  }

  /** Nothing of this process is read or written but staging buffers, which are not shared. */
  @Test
  void onlyStagingBuffersAreStoredTo() {
    long buffer = buffer(4096);
    long data = scratch.address() + 64;
    int invalid = CudaResult.INVALID_VALUE;
    assertEquals(invalid, driver.outboardStagingStore(data, data, 8));
    assertEquals(invalid, driver.outboardStagingStore(buffer + 4090, data, 8));
    assertEquals(invalid, driver.outboardStagingStore(buffer, data, -1));
    assertEquals(invalid, driver.outboardStagingStore(buffer, 0, 8));
    assertEquals(invalid, driver.outboardStagingLoad(data, buffer - 1, 8));
    assertEquals(invalid, driver.outboardHostUnmap(buffer));
    assertEquals(invalid, driver.outboardStagingEnd(buffer + 8));
    assertRefused(buffer, 8, 0);
    assertEquals(0, driver.outboardStagingEnd(buffer));
  }

  @Test
  void stagingBuffersAreBounded() {
    int invalid = CudaResult.INVALID_VALUE;
    assertEquals(invalid, driver.outboardStagingMake(scratch.address(), 0));
    assertEquals(invalid, driver.outboardStagingMake(scratch.address(), -5));
    assertEquals(invalid, driver.outboardStagingMake(0, 8));
    int none = CudaResult.OUT_OF_MEMORY;
    assertEquals(none, driver.outboardStagingMake(scratch.address(), Long.MAX_VALUE));
    assertEquals(none, driver.outboardStagingMake(scratch.address(), (4L << 30) + 1));
    for (int i = 0; i < 5; i++) {
      assertEquals(0, driver.outboardStagingEnd(buffer(64 << 20)));
    }
  }

  /** A copy up, of rows of 16 bytes. */
  private long boxFrom(long host, long rows) {
    long copy = scratch.address() + 64;
    Native.fill(copy, Memcpy3D.BYTES, (byte) 0);
    Native.putInt(copy + Memcpy3D.TYPE, Memcpy3D.HOST);
    Native.putLong(copy + Memcpy3D.HOST_ADDRESS, host);
    Native.putLong(copy + 72, 16);
    Native.putLong(copy + 80, rows);
    Native.putInt(copy + Memcpy3D.SIDE_BYTES + Memcpy3D.TYPE, 2);
    Native.putLong(copy + Memcpy3D.SIDE_BYTES + 48, device);
    Native.putLong(copy + Memcpy3D.SIDE_BYTES + 72, 16);
    Native.putLong(copy + Memcpy3D.SIDE_BYTES + 80, rows);
    Native.putLong(copy + Memcpy3D.EXTENT, 16);
    Native.putLong(copy + Memcpy3D.EXTENT + 8, rows);
    Native.putLong(copy + Memcpy3D.EXTENT + 16, 1);
    return copy;
  }

  @Test
  void nodesNameSharedMemoryOnly() {
    assertEquals(0, driver.cuGraphCreate(scratch.address(), 0));
    long graph = Native.getLong(scratch.address());
    assertEquals(0, map(file(BYTES, SEALS), PLACE));
    long rows = BYTES / 16;
    assertEquals(0, addCopy(graph, boxFrom(PLACE, rows)));
    assertEquals(CudaResult.INVALID_VALUE, addCopy(graph, boxFrom(PLACE + 1, rows)));
    assertEquals(CudaResult.INVALID_VALUE, addCopy(graph, boxFrom(scratch.address(), 1)));
    assertEquals(CudaResult.INVALID_VALUE, addCopy(graph, boxFrom(PLACE, Long.MAX_VALUE)));
    assertEquals(0, driver.outboardHostUnmap(PLACE));
  }

  private int addCopy(long graph, long copy) {
    return driver.cuGraphAddMemcpyNode(scratch.address(), graph, 0, 0, copy, 0);
  }
}
