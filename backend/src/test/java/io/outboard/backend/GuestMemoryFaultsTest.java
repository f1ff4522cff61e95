// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.system.NativeBuffer;
import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.Sockets;
import io.outboard.communicator.region.GuestMemory;
import io.outboard.communicator.region.RingStream;
import io.outboard.communicator.region.SharedFile;
import io.outboard.communicator.region.SharedMemory;
import io.outboard.testkit.Amount;
import io.outboard.wire.Native;
import io.outboard.wire.ProtocolException;
import io.outboard.wire.Region;
import io.outboard.wire.RegionOffer;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The parts of a guest's memory, and a guest that writes anything to them. */
class GuestMemoryFaultsTest {
  private static final RegionOffer OFFER = RegionOffer.of(Region.LEAST_RING, 0, 0);
  private static final long PART = OFFER.placed(0, 1).bytes();
  private static final int PARTS = 3;
  private static final int ROOM = 8192;
  private static final byte UNTOUCHED = 0x5a;

  private final Random random = new Random(20261126);
  private Path file;
  private GuestMemory memory;

  @BeforeEach
  void makeMemory() throws IOException {
    file = Medium.guestMemory(PARTS * PART + PART - 1);
    memory = new GuestMemory(file, false);
  }

  @AfterEach
  void removeMemory() throws IOException {
    Files.delete(file);
  }

  @Test
  void eachHasAPartOfItsOwnAsLongAsThereIsOne() throws IOException {
    try (GuestMemory.Part first = memory.take(OFFER).orElseThrow();
        GuestMemory.Part second = memory.take(OFFER).orElseThrow();
        GuestMemory.Part third = memory.take(OFFER).orElseThrow()) {
      assertEquals(
          List.of(0L, PART, 2 * PART), List.of(first.offset(), second.offset(), third.offset()));
      assertEquals(Optional.empty(), memory.take(OFFER));
    }
  }

  /** As the worker has one, whose daemon closes its own. */
  @Test
  void aPartIsFreeOnceTheLastDescriptorIsClosed() throws IOException {
    GuestMemory.Part first = memory.take(OFFER).orElseThrow();
    int copy = Posix.fcntl(first.descriptor(), Posix.F_DUPFD_CLOEXEC, 0);
    first.close();
    try (GuestMemory.Part second = memory.take(OFFER).orElseThrow()) {
      assertEquals(PART, second.offset());
    }
    Posix.close(copy);
    try (GuestMemory.Part again = memory.take(OFFER).orElseThrow()) {
      assertEquals(0, again.offset());
    }
  }

  @Test
  void memoryThatIsNotThereIsAnErrorThatNamesIt() {
    GuestMemory missing = new GuestMemory(Path.of("/nowhere/memory"), false);
    var error = assertThrows(IOException.class, () -> missing.take(OFFER));
    assertTrue(error.getMessage().contains("/nowhere/memory"), error::getMessage);
  }

  @Test
  void aLinkIsNotFollowed() throws IOException {
    Path link = file.resolveSibling(file.getFileName() + "-link");
    Files.createSymbolicLink(link, file);
    try {
      assertThrows(IOException.class, () -> new GuestMemory(link, false).take(OFFER));
    } finally {
      Files.delete(link);
    }
  }

  /** The session may end, and nothing outside of its part and of its buffer changes. */
  @Test
  void aPartMayHoldAnything() throws IOException {
    try (GuestMemory.Part before = memory.take(OFFER).orElseThrow();
        NativeBuffer buffer = new NativeBuffer(2 * ROOM)) {
      int copy = Posix.fcntl(before.descriptor(), Posix.F_DUPFD_CLOEXEC, 0);
      try (SharedFile all = SharedFile.map(copy, PARTS * PART)) {
        Native.fill(all.address(), PARTS * PART, UNTOUCHED);
        MemorySegment untouched = MemorySegment.ofArray(new byte[(int) PART]);
        untouched.fill(UNTOUCHED);
        int done = 0;
        while (done < Amount.of(5_000, 100_000)) {
          done += spoilOne(all.address() + PART, buffer);
          assertUntouched(untouched, all.address());
          assertUntouched(untouched, all.address() + 2 * PART);
        }
      }
    }
  }

  private static void assertUntouched(MemorySegment expected, long address) {
    MemorySegment found = MemorySegment.ofAddress(address).reinterpret(expected.byteSize());
    assertEquals(-1, expected.mismatch(found));
  }

  /** A session until its end; returns how often its part was spoilt. */
  private int spoilOne(long part, NativeBuffer buffer) throws IOException {
    int[] pair = new int[2];
    Errno.check(Sockets.socketpair(pair), "socketpair");
    // Nobody sleeps.
    Posix.close(pair[0]);
    RingStream stream =
        RingStream.backend(
            SharedMemory.place(memory.take(OFFER).orElseThrow(), OFFER, pair[1]), pair[1]);
    int times = 0;
    try {
      for (boolean goesOn = true; goesOn && times < 100; times++) {
        spoil(part);
        goesOn = useWithin(stream, buffer);
      }
    } finally {
      stream.close();
    }
    return times;
  }

  private boolean useWithin(RingStream stream, NativeBuffer buffer) {
    int bytes = 1 + random.nextInt(ROOM);
    Native.fill(buffer.address() + bytes, 2L * ROOM - bytes, UNTOUCHED);
    try {
      boolean read = random.nextBoolean();
      long n = read ? stream.read(buffer.address(), bytes) : stream.write(buffer.address(), bytes);
      assertTrue(n <= bytes, () -> n + " of " + bytes + " bytes");
      for (long at = bytes; at < 2L * ROOM; at++) {
        assertEquals(UNTOUCHED, Native.getByte(buffer.address() + at));
      }
      return true;
    } catch (ProtocolException e) {
      return false;
    }
  }

  private void spoil(long part) {
    int page = random.nextBoolean() ? Region.PLACED : 0;
    long at = part + page + Medium.WORDS[random.nextInt(Medium.WORDS.length)];
    long word = Native.getLong(at);
    switch (random.nextInt(6)) {
      case 0 -> Native.putLong(at, random.nextLong());
      case 1 -> Native.putLong(at, word + random.nextInt(20_000));
      case 2 -> Native.putLong(at, word - random.nextInt(20_000));
      case 3 -> Native.putLong(at, word + OFFER.ringBytes() - 1 + random.nextInt(3));
      case 4 -> Native.putLong(at, random.nextBoolean() ? Long.MIN_VALUE : -1);
      default -> Native.putLong(part + 8L * random.nextInt((int) (PART / 8)), random.nextLong());
    }
  }
}
