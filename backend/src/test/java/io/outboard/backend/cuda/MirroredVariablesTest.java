// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.cuda;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.system.NativeBuffer;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaDriverForwarding;
import io.outboard.cuda.CudaResult;
import io.outboard.cuda.vendor.VariableSharing;
import io.outboard.wire.Native;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Nothing but the variables of a driver is read or written, whatever the client says. */
class MirroredVariablesTest {
  private static final int BEFORE = 40;
  private static final int BYTES = 91;
  private static final int ROOM = 256;
  private static final long PAGE = 4096;

  /** Where nothing is. */
  private static final long HOST = 0x3000_0000_0000L;

  private static final long MODULE = 7;
  private static final long LIBRARY = 8;
  private static final long CONTEXT = 9;
  private static final long GREEN = 10;

  private final NativeBuffer memory = new NativeBuffer(ROOM + VariableSharing.LARGE);
  private final NativeBuffer scratch = new NativeBuffer(4096);
  private final long variable = memory.address() + BEFORE + 3;
  private final Driver host = new Driver();
  private final MirroredVariables driver =
      new MirroredVariables(new HostPages(host), () -> CONTEXT);

  /** Has one variable, of module {@link #MODULE} in {@link #CONTEXT}. */
  private final class Driver extends CudaDriverForwarding {
    long sharing = VariableSharing.MIRRORED;
    long bytes = BYTES;
    int searches = Integer.MAX_VALUE;
    boolean active;
    int managed = CudaResult.SUCCESS;
    Runnable ending = () -> {};

    Driver() {
      super((CudaDriver) null);
    }

    @Override
    public int outboardModuleVariable(
        long pointer, long size, long shared, long module, long name) {
      Native.putLong(pointer, variable);
      Native.putLong(size, bytes);
      Native.putLong(shared, sharing);
      return searches-- > 0 ? CudaResult.SUCCESS : CudaResult.INVALID_HANDLE;
    }

    @Override
    public int outboardManagedMap(long address, long bytes) {
      return managed;
    }

    @Override
    public int outboardManagedUnmap(long address) {
      return CudaResult.SUCCESS;
    }

    @Override
    public int cuModuleUnload(long module) {
      ending.run();
      return CudaResult.SUCCESS;
    }

    @Override
    public int cuLibraryUnload(long library) {
      return CudaResult.SUCCESS;
    }

    @Override
    public int cuCtxDestroy_v2(long context) {
      return CudaResult.SUCCESS;
    }

    @Override
    public int cuGreenCtxDestroy(long context) {
      return CudaResult.SUCCESS;
    }

    @Override
    public int cuDevicePrimaryCtxReset_v2(int device) {
      return CudaResult.SUCCESS;
    }

    @Override
    public int cuDevicePrimaryCtxRelease_v2(int device) {
      return CudaResult.SUCCESS;
    }

    @Override
    public int cuDevicePrimaryCtxGetState(int device, long flags, long isActive) {
      Native.putInt(isActive, active ? 1 : 0);
      return CudaResult.SUCCESS;
    }

    @Override
    public int cuLibraryGetModule(long module, long library) {
      Native.putLong(module, MODULE);
      return CudaResult.SUCCESS;
    }

    @Override
    public int cuCtxFromGreenCtx(long context, long green) {
      Native.putLong(context, CONTEXT);
      return CudaResult.SUCCESS;
    }

    @Override
    public int cuDevicePrimaryCtxRetain(long context, int device) {
      Native.putLong(context, CONTEXT);
      return CudaResult.SUCCESS;
    }
  }

  @AfterEach
  void close() {
    memory.close();
    scratch.close();
  }

  private int find() {
    long to = scratch.address();
    return driver.outboardModuleVariable(to, to + 8, to + 16, MODULE, 0);
  }

  /** Words of a byte, of which all are meant. */
  private int store(long address, long words, int byteOfData, int... masks) {
    long data = scratch.address() + 1024;
    long mask = scratch.address();
    Native.fill(data, Long.BYTES * words, (byte) byteOfData);
    Native.fill(mask, words, (byte) 0xff);
    for (int i = 0; i < masks.length; i++) {
      Native.putByte(mask + i, (byte) masks[i]);
    }
    return driver.outboardMirrorStore(address, data, mask, words);
  }

  private int load(long words, long... ranges) {
    long at = scratch.address();
    for (int i = 0; i < ranges.length; i++) {
      Native.putLong(at + 8L * i, ranges[i]);
    }
    return driver.outboardMirrorLoad(at + 1024, words, at, ranges.length);
  }

  private byte loaded(long offset) {
    return Native.getByte(scratch.address() + 1024 + offset);
  }

  private long word(long offset) {
    return (variable & -8) + offset;
  }

  @Test
  void bytesGoBothWays() {
    assertEquals(0, find());
    assertEquals(0, store(word(8), 2, 5));
    assertEquals(5, Native.getByte(word(8)));
    assertEquals(5, Native.getByte(word(23)));
    assertEquals(0, Native.getByte(word(24)));
    assertEquals(0, load(2, word(8) + 4, 8));
    assertEquals(0, loaded(3));
    assertEquals(5, loaded(4));
    assertEquals(5, loaded(11));
    assertEquals(0, loaded(12));
    assertEquals(0, load(5, variable, 10, word(16), 24));
    assertEquals(5, loaded(16));
    assertEquals(5, loaded(23));
    assertEquals(0, loaded(24));
  }

  @Test
  void theMaskSaysWhichBytes() {
    assertEquals(0, find());
    Random random = new Random(1);
    int words = (BYTES - 16) / 8;
    for (int round = 0; round < 500; round++) {
      byte[] before = bytes(word(8), 8 * words);
      int[] masks = random.ints(words, 0, 256).toArray();
      masks[0] |= 1 << random.nextInt(8);
      masks[words - 1] |= 1 << random.nextInt(8);
      int fresh = random.nextInt(256);
      assertEquals(0, store(word(8), words, fresh, masks));
      for (int i = 0; i < 8 * words; i++) {
        boolean written = (masks[i / 8] >> (i % 8) & 1) != 0;
        assertEquals(written ? (byte) fresh : before[i], Native.getByte(word(8) + i));
      }
    }
  }

  private static byte[] bytes(long address, int count) {
    byte[] bytes = new byte[count];
    for (int i = 0; i < count; i++) {
      bytes[i] = Native.getByte(address + i);
    }
    return bytes;
  }

  /** Its first and last words have bytes of others. */
  @Test
  void aVariableIsWrittenUpToItsEnds() {
    assertEquals(0, find());
    long begin = variable & 7;
    long end = (variable + BYTES) & 7;
    long last = (variable + BYTES) & -8;
    assertEquals(0, store(word(0), 1, 6, 0xff << begin));
    assertEquals(CudaResult.NOT_FOUND, store(word(0), 1, 7, 0xff << (begin - 1)));
    assertEquals(0, store(last, 1, 6, (1 << end) - 1));
    assertEquals(CudaResult.NOT_FOUND, store(last, 1, 7, (1 << (end + 1)) - 1));
    assertEquals(0, Native.getByte(variable - 1));
    assertEquals(6, Native.getByte(variable));
    assertEquals(6, Native.getByte(variable + BYTES - 1));
    assertEquals(0, Native.getByte(variable + BYTES));
  }

  @Test
  void whatIsNoVariableIsNotTouched() {
    assertEquals(CudaResult.NOT_FOUND, store(word(8), 1, 5));
    assertEquals(CudaResult.NOT_FOUND, load(1, word(8), 8));
    assertEquals(0, find());
    assertEquals(CudaResult.NOT_FOUND, store(word(-8), 1, 5));
    assertEquals(CudaResult.NOT_FOUND, store(word(80), 3, 5));
    assertEquals(CudaResult.NOT_FOUND, store(Long.MIN_VALUE, 1, 5));
    assertEquals(CudaResult.NOT_FOUND, store(-8, 2, 5));
    assertEquals(CudaResult.NOT_FOUND, load(1, variable - 1, 2));
    assertEquals(CudaResult.NOT_FOUND, load(20, variable, BYTES + 1));
    assertEquals(CudaResult.NOT_FOUND, load(1, variable, 0));
    assertEquals(CudaResult.NOT_FOUND, load(1, variable, -1));
    assertEquals(CudaResult.NOT_FOUND, load(1, variable, Long.MAX_VALUE));
    assertEquals(CudaResult.NOT_FOUND, load(2, variable, 1, memory.address(), 1));
    for (int i = 0; i < ROOM; i++) {
      assertEquals(0, Native.getByte(memory.address() + i));
    }
  }

  @Test
  void pageLockedMemoryIsZerosUntilItEnds() {
    assertEquals(0, driver.outboardPagesMap(HOST, 2 * PAGE));
    assertEquals(CudaResult.ALREADY_MAPPED, driver.outboardPagesMap(HOST + PAGE, PAGE));
    assertEquals(0, Native.getLong(HOST + PAGE));
    Native.putLong(HOST + 2 * PAGE - 8, 5);
    assertEquals(CudaResult.NOT_FOUND, load(1, HOST + PAGE, 8));
    assertEquals(0, driver.outboardPagesUnmap(HOST));
    assertEquals(0, driver.outboardPagesMap(HOST, 2 * PAGE));
    assertEquals(0, Native.getLong(HOST + 2 * PAGE - 8));
    assertEquals(0, driver.outboardPagesUnmap(HOST));
    assertEquals(CudaResult.INVALID_VALUE, driver.outboardPagesUnmap(HOST));
  }

  @Test
  void itHasNoPlaceOfOthers() {
    assertEquals(
        CudaResult.ALREADY_MAPPED, driver.outboardPagesMap(memory.address() & -PAGE, PAGE));
    assertEquals(CudaResult.INVALID_VALUE, driver.outboardPagesMap(HOST + 8, PAGE));
    assertEquals(CudaResult.INVALID_VALUE, driver.outboardPagesMap(HOST, 8));
    assertEquals(CudaResult.INVALID_VALUE, driver.outboardPagesMap(HOST, 0));
    assertEquals(CudaResult.INVALID_VALUE, driver.outboardPagesMap(HOST, 1L << 40));
    host.managed = CudaResult.NOT_SUPPORTED;
    assertEquals(CudaResult.NOT_SUPPORTED, driver.outboardPagesMap(HOST, PAGE));
    host.managed = CudaResult.SUCCESS;
    assertEquals(0, driver.outboardPagesMap(HOST, PAGE));
    assertEquals(0, driver.outboardPagesUnmap(HOST));
  }

  @Test
  void lengthsHaveToFit() {
    assertEquals(0, find());
    assertEquals(CudaResult.INVALID_VALUE, store(word(8) + 1, 1, 5));
    assertEquals(CudaResult.INVALID_VALUE, store(word(8), 2, 5, 0, 0xff));
    assertEquals(CudaResult.INVALID_VALUE, store(word(8), 2, 5, 0xff, 0));
    assertEquals(CudaResult.INVALID_VALUE, store(word(8), 0, 5));
    assertEquals(CudaResult.INVALID_VALUE, driver.outboardMirrorStore(word(8), 0, 0, 1));
    assertEquals(CudaResult.INVALID_VALUE, load(1, word(8), 9));
    assertEquals(CudaResult.INVALID_VALUE, load(3, word(8), 16));
    assertEquals(CudaResult.INVALID_VALUE, load(1, word(8), 8, word(8)));
    assertEquals(CudaResult.INVALID_VALUE, load(0));
    assertEquals(CudaResult.INVALID_VALUE, driver.outboardMirrorLoad(0, 1, 0, 2));
  }

  private int[] changes(long parts, long address, long bytes) {
    long to = scratch.address() + 8;
    Native.fill(to, parts + 1, (byte) 7);
    assertEquals(0, driver.outboardMirrorChanges(to, parts, address, bytes));
    assertEquals(7, Native.getByte(to + parts));
    return IntStream.range(0, (int) parts).map(i -> Native.getByte(to + i)).toArray();
  }

  @Test
  void ofALargeVariableItIsKnownWhatTheClientHas() {
    host.bytes = VariableSharing.LARGE + 5;
    assertEquals(0, find());
    Native.fill(variable, host.bytes, (byte) 3);
    int parts = 17;
    assertArrayEquals(IntStream.generate(() -> 1).limit(parts).toArray(), all(parts));
    try (NativeBuffer read = new NativeBuffer(host.bytes + 16)) {
      Native.putLong(scratch.address(), variable);
      Native.putLong(scratch.address() + 8, host.bytes);
      long words = MaskedWords.around(variable, host.bytes);
      assertEquals(0, driver.outboardMirrorLoad(read.address(), words, scratch.address(), 2));
    }
    assertEquals(0, find()); // what is known stays
    assertArrayEquals(new int[parts], all(parts));
    Native.putByte(variable + 2 * VariableSharing.PART, (byte) 4);
    Native.putByte(variable + host.bytes - 1, (byte) 4);
    int[] expected = new int[parts];
    expected[2] = 1;
    expected[parts - 1] = 1;
    assertArrayEquals(expected, all(parts));
    assertEquals(0, store(word(VariableSharing.PART), 1, 9));
    assertArrayEquals(expected, all(parts));
    Native.putByte(word(VariableSharing.PART), (byte) 3);
    expected[1] = 1;
    assertArrayEquals(expected, all(parts));
    assertArrayEquals(new int[] {1}, changes(1, word(VariableSharing.PART), 100));
  }

  private int[] all(int parts) {
    return changes(parts, variable, host.bytes);
  }

  @Test
  void ofOthersAllHasChanged() {
    assertEquals(0, find());
    assertEquals(0, load(1, word(8), 8));
    assertArrayEquals(new int[] {1}, changes(1, variable, BYTES));
    long to = scratch.address();
    assertEquals(CudaResult.NOT_FOUND, driver.outboardMirrorChanges(to, 1, variable, BYTES + 1));
    assertEquals(CudaResult.INVALID_VALUE, driver.outboardMirrorChanges(to, 2, variable, BYTES));
    assertEquals(CudaResult.INVALID_VALUE, driver.outboardMirrorChanges(0, 1, variable, BYTES));
  }

  @Test
  void whatKernelsHaveAloneIsNotRead() {
    host.sharing = VariableSharing.NONE;
    assertEquals(0, find());
    assertEquals(CudaResult.NOT_FOUND, load(1, word(8), 8));
  }

  private void assertKnown(boolean known) {
    assertEquals(known ? 0 : CudaResult.NOT_FOUND, load(1, word(8), 8));
    assertEquals(known ? 0 : CudaResult.NOT_FOUND, store(word(8), 1, 5));
  }

  private void assertEndsWith(IntSupplier end) {
    assertEquals(0, find());
    assertKnown(true);
    assertEquals(0, end.getAsInt());
    assertKnown(false);
  }

  @Test
  void aVariableGoesWithWhatItIsIn() {
    assertEndsWith(() -> driver.cuModuleUnload(MODULE));
    assertEndsWith(() -> driver.cuCtxDestroy_v2(CONTEXT));
    assertEquals(0, driver.cuLibraryGetModule(scratch.address(), LIBRARY));
    assertEndsWith(() -> driver.cuLibraryUnload(LIBRARY));
    assertEquals(0, driver.cuCtxFromGreenCtx(scratch.address(), GREEN));
    assertEndsWith(() -> driver.cuGreenCtxDestroy(GREEN));
    assertEquals(0, driver.cuDevicePrimaryCtxRetain(scratch.address(), 3));
    assertEndsWith(() -> driver.cuDevicePrimaryCtxReset_v2(3));
    assertEndsWith(() -> driver.cuDevicePrimaryCtxRelease_v2(3));
  }

  @Test
  void aVariableStaysWhereSomethingElseEnds() {
    assertEquals(0, driver.cuDevicePrimaryCtxRetain(scratch.address(), 3));
    assertEquals(0, find());
    assertEquals(0, driver.cuModuleUnload(MODULE + 100));
    assertEquals(0, driver.cuLibraryUnload(LIBRARY));
    assertEquals(0, driver.cuCtxDestroy_v2(CONTEXT + 100));
    assertEquals(0, driver.cuGreenCtxDestroy(GREEN));
    assertEquals(0, driver.cuDevicePrimaryCtxReset_v2(2));
    host.active = true;
    assertEquals(0, driver.cuDevicePrimaryCtxRelease_v2(3));
    assertKnown(true);
  }

  @Test
  void whatHasGoneMeanwhileIsNotKnown() {
    host.searches = 1;
    assertEquals(CudaResult.INVALID_HANDLE, find());
    assertKnown(false);
  }

  @Test
  void nothingIsTouchedWhileAModuleEnds() throws InterruptedException {
    assertEquals(0, find());
    CountDownLatch begun = new CountDownLatch(1);
    Thread[] reader = new Thread[1];
    boolean[] waited = new boolean[1];
    host.ending =
        () -> {
          begun.countDown();
          while (reader[0].getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
          }
          waited[0] = true;
        };
    int[] result = new int[1];
    reader[0] =
        Thread.ofPlatform()
            .unstarted(
                () -> {
                  try {
                    begun.await();
                  } catch (InterruptedException e) {
                    return;
                  }
                  result[0] = store(word(8), 1, 5);
                });
    reader[0].start();
    assertEquals(0, driver.cuModuleUnload(MODULE));
    reader[0].join();
    assertTrue(waited[0]);
    assertEquals(CudaResult.NOT_FOUND, result[0]);
    assertFalse(Native.getByte(word(8)) == 5);
  }
}
