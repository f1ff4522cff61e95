// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.devices.SilentConsole;
import io.outboard.backend.move.HostMemory;
import io.outboard.backend.system.NativeBuffer;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.region.GuestMemory;
import io.outboard.communicator.region.GuestRoom;
import io.outboard.communicator.region.SharedFile;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaResult;
import io.outboard.softgpu.SoftGpu;
import io.outboard.wire.Native;
import io.outboard.wire.Region;
import io.outboard.wire.RegionOffer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Room for page-locked memory in a guest's memory, and clients that ask for anything. */
class GuestRoomTest {
  private static final RegionOffer OFFER = RegionOffer.of(Region.LEAST_RING, 0, 0);
  private static final long PART = OFFER.placed(0, 1).bytes();
  private static final long HALF = 4 * PART;
  private static final long PAGE = Region.PAGE;
  private static final long PLACE = 0x1810_0000_0000L;

  private final List<AutoCloseable> all = new ArrayList<>();
  private final NativeBuffer scratch = new NativeBuffer(64);
  private Path file;
  private GuestMemory memory;

  @BeforeEach
  void makeMemory() throws IOException {
    file = Medium.guestMemory(2 * HALF);
    memory = new GuestMemory(file, true);
  }

  @AfterEach
  void removeMemory() throws Exception {
    for (AutoCloseable one : all) {
      one.close();
    }
    scratch.close();
    Files.delete(file);
  }

  private GuestMemory.Part part() throws IOException {
    GuestMemory.Part part = memory.take(OFFER).orElseThrow();
    all.add(part);
    return part;
  }

  private GuestRoom room() throws IOException {
    GuestRoom room = GuestRoom.beside(part());
    all.add(room);
    return room;
  }

  @Test
  void rangesOfAllSessionsLieApartInTheLaterHalf() throws IOException {
    GuestRoom one = room();
    GuestRoom other = room();
    assertEquals(HALF, one.take(PAGE));
    assertEquals(HALF + PAGE, other.take(2 * PAGE));
    assertEquals(HALF + 3 * PAGE, one.take(PAGE));
    one.give(HALF);
    assertEquals(HALF + 4 * PAGE, other.take(2 * PAGE));
    assertEquals(HALF, other.take(PAGE));
    assertEquals(HALF + 6 * PAGE, one.take(HALF - 6 * PAGE));
    assertEquals(GuestRoom.NONE, one.take(PAGE));
    assertEquals(GuestRoom.NONE, other.take(PAGE));
  }

  @Test
  void theEarlierHalfIsForParts() throws IOException {
    GuestRoom room = room();
    assertEquals(HALF, room.take(HALF));
    for (int i = 1; i < 4; i++) {
      assertEquals(i * PART, part().offset());
    }
    assertEquals(Optional.empty(), memory.take(OFFER));
    room.give(HALF);
    assertEquals(HALF, part().offset());
    assertEquals(HALF + PART, room.take(PAGE));
  }

  @Test
  void impossibleLengthsAreNotTaken() throws IOException {
    GuestRoom room = room();
    for (long bytes :
        new long[] {0, -PAGE, 1, PAGE + 1, HALF + PAGE, Long.MIN_VALUE, Long.MAX_VALUE & -PAGE}) {
      assertEquals(GuestRoom.NONE, room.take(bytes), () -> bytes + " bytes");
    }
    room.give(HALF);
    room.give(-1);
    assertEquals(HALF, room.take(HALF));
  }

  @Test
  void aSessionThatEndsLeavesItsRanges() throws Exception {
    GuestMemory.Part part = part();
    GuestRoom room = GuestRoom.beside(part);
    assertEquals(HALF, room.take(HALF));
    part.close();
    all.clear();
    GuestRoom other = room();
    assertEquals(GuestRoom.NONE, other.take(PAGE));
    room.close();
    assertEquals(GuestRoom.NONE, room.take(PAGE));
    assertEquals(HALF, other.take(HALF));
  }

  private CudaDriver driver(GuestRoom room) {
    CudaDriver driver =
        new HostMemory(
            SoftGpu.builder(new SilentConsole()).build(), () -> -1, Optional.ofNullable(room));
    assertEquals(0, driver.cuInit(0));
    assertEquals(0, driver.cuDevicePrimaryCtxRetain(scratch.address(), 0));
    assertEquals(0, driver.cuCtxSetCurrent(Native.getLong(scratch.address())));
    return driver;
  }

  private int map(CudaDriver driver, long address, long bytes) {
    return driver.outboardHostMap(scratch.address() + 8, address, bytes, 0);
  }

  private long assign(CudaDriver driver, long bytes) {
    assertEquals(0, driver.outboardHostRoom(scratch.address(), bytes));
    return Native.getLong(scratch.address());
  }

  /** The guest sees what the device copies, and the other way round. */
  @Test
  void anAssignedRangeIsTheClientsToo() throws IOException {
    CudaDriver driver = driver(room());
    long offset = assign(driver, 2 * PAGE);
    assertEquals(0, map(driver, PLACE, 2 * PAGE));
    assertEquals(0, driver.cuMemAlloc_v2(scratch.address(), PAGE));
    long device = Native.getLong(scratch.address());
    GuestMemory.Part part = part();
    int copy = Posix.fcntl(part.descriptor(), Posix.F_DUPFD_CLOEXEC, 0);
    try (SharedFile guest = SharedFile.map(copy, offset, 2 * PAGE)) {
      Native.fill(guest.address(), PAGE, (byte) 7);
      assertEquals(0, driver.outboardCopyFromHost(device, PLACE, PAGE, 0, 0));
      assertEquals(0, driver.outboardCopyToHost(PLACE + PAGE, device, PAGE, 0, 0));
      assertEquals(0, driver.cuCtxSynchronize());
      assertEquals(7, Native.getByte(guest.address() + 2 * PAGE - 1));
    }
    assertEquals(
        CudaResult.INVALID_VALUE,
        driver.outboardCopyFromHost(device, PLACE + PAGE, PAGE + 1, 0, 0));
    assertEquals(0, driver.outboardHostUnmap(PLACE));
    assertEquals(HALF, assign(driver, HALF));
  }

  /** No client names a range, and none has one twice. */
  @Test
  void aRangeIsMappedOnceAndWhole() throws IOException {
    GuestRoom room = room();
    CudaDriver driver = driver(room);
    assertEquals(CudaResult.INVALID_VALUE, map(driver, PLACE, PAGE));
    assertEquals(HALF, assign(driver, 2 * PAGE));
    assertEquals(CudaResult.INVALID_VALUE, map(driver, PLACE, PAGE));
    assertEquals(CudaResult.INVALID_VALUE, map(driver, PLACE, 3 * PAGE));
    assertEquals(CudaResult.ALREADY_MAPPED, map(driver, scratch.address() & -PAGE, 2 * PAGE));
    assertEquals(0, map(driver, PLACE, 2 * PAGE));
    assertEquals(CudaResult.INVALID_VALUE, map(driver, PLACE + 4 * PAGE, 2 * PAGE));
    assertEquals(HALF + 2 * PAGE, room.take(PAGE));
    assertEquals(0, driver.outboardHostUnmap(PLACE));
  }

  @Test
  void theNextRangeIsInThePlaceOfOneThatIsNotMapped() throws IOException {
    CudaDriver driver = driver(room());
    for (int i = 0; i < 3; i++) {
      assertEquals(HALF, assign(driver, HALF));
    }
    assertNotEquals(0, driver.outboardHostRoom(scratch.address(), 0));
    assertEquals(CudaResult.INVALID_VALUE, map(driver, PLACE, HALF));
    assertEquals(HALF, assign(driver, HALF));
    assertEquals(CudaResult.OUT_OF_MEMORY, driver.outboardHostRoom(scratch.address(), HALF + PAGE));
  }

  @Test
  void withoutRoomTheCallIsNotOffered() throws IOException {
    BitSet calls = new BitSet();
    calls.set(0, 1000);
    HostMemory with = new HostMemory(driver(null), () -> -1, Optional.of(room()));
    HostMemory without = new HostMemory(driver(null), () -> -1, Optional.empty());
    BitSet left = with.possible(calls);
    assertEquals(calls, left);
    left.andNot(without.possible(calls));
    assertEquals(1, left.cardinality());
    assertTrue(without.outboardHostRoom(scratch.address(), PAGE) != 0);
  }
}
