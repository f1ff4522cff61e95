// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.move;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.outboard.backend.devices.SilentConsole;
import io.outboard.backend.system.NativeBuffer;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaResult;
import io.outboard.patience.Patience;
import io.outboard.softgpu.SoftGpu;
import io.outboard.wire.Limits;
import io.outboard.wire.Native;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Uploads return before their stream gets to them, as far as there is memory for them. */
class CudaStagedUploadsTest {
  private static final long CHUNK = Limits.CHUNK;

  /** As many as are made at a time. */
  private static final int PIECES = 16;

  private static final long FITS = PIECES * CHUNK - 24;
  private static final int EQUAL = 1;

  private final CudaDriver device = SoftGpu.builder(new SilentConsole()).build();
  private final CudaDriver driver = new CudaStagedUploads(device, new BulkBuffers(PIECES));
  private final NativeBuffer scratch = new NativeBuffer(4096);
  private final NativeBuffer data = new NativeBuffer(2 * FITS);
  private long context;
  private long memory;
  private long word;
  private long stream;

  @BeforeEach
  void open() {
    ok(driver.cuInit(0));
    ok(driver.cuDevicePrimaryCtxRetain(scratch.address(), 0));
    context = made();
    ok(driver.cuCtxSetCurrent(context));
    memory = allocate(2 * FITS);
    word = allocate(8);
    stream = waiting();
    for (long at = 0; at < 2 * FITS; at += Long.BYTES) {
      Native.putLong(data.address() + at, pattern(at));
    }
  }

  @AfterEach
  void close() {
    scratch.close();
    data.close();
  }

  private static void ok(int result) {
    assertEquals(CudaResult.SUCCESS, result);
  }

  private long made() {
    return Native.getLong(scratch.address());
  }

  private long allocate(long bytes) {
    ok(driver.cuMemAlloc_v2(scratch.address(), bytes));
    long address = made();
    ok(driver.cuMemsetD8_v2(address, (byte) 0, bytes));
    return address;
  }

  /** A stream that waits until the word is 7. */
  private long waiting() {
    ok(driver.cuStreamCreate(scratch.address(), 1));
    long its = made();
    ok(driver.cuStreamWaitValue32_v2(its, word, 7, EQUAL));
    return its;
  }

  private static long pattern(long offset) {
    return offset * 0x9E3779B97F4A7C15L + 1;
  }

  private void letGo() {
    ok(driver.cuMemsetD32_v2(word, 7, 1));
  }

  private void assertThere(long bytes) {
    ok(driver.cuStreamSynchronize(stream));
    Native.fill(data.address(), bytes, (byte) 0);
    ok(driver.cuMemcpyDtoH_v2(data.address(), memory, bytes));
    for (long at = 0; at < bytes; at += Long.BYTES) {
      assertEquals(pattern(at), Native.getLong(data.address() + at));
    }
  }

  @Test
  void theCallDoesNotWaitForTheStream() {
    ok(driver.cuMemcpyHtoDAsync_v2(memory, data.address(), FITS, stream));
    assertEquals(CudaResult.NOT_READY, driver.cuStreamQuery(stream));
    letGo();
    assertThere(FITS);
  }

  /** As it would for all of it without the memory. */
  @Test
  void theDriverWaitsWithWhatThereIsNoMemoryFor() throws InterruptedException {
    ok(driver.cuMemcpyHtoDAsync_v2(memory + FITS, data.address() + FITS, FITS, stream));
    Thread other =
        Thread.ofPlatform()
            .start(
                () -> {
                  ok(driver.cuCtxSetCurrent(context));
                  ok(driver.cuMemcpyHtoDAsync_v2(memory, data.address(), FITS, stream));
                });
    Patience.untilWaits(other);
    letGo();
    Patience.join(other);
    assertThere(2 * FITS);
    ok(driver.cuMemcpyHtoDAsync_v2(memory, data.address(), FITS, waiting()));
  }

  @Test
  void nothingIsCopiedWhereTheEndIsOutside() {
    letGo();
    long outside = memory + FITS + CHUNK;
    assertEquals(
        CudaResult.INVALID_VALUE,
        driver.cuMemcpyHtoDAsync_v2(outside, data.address(), FITS, stream));
    ok(driver.cuMemcpyDtoH_v2(scratch.address(), outside, Long.BYTES));
    assertEquals(0, made());
  }

  @Test
  void aContextMayEndAfterACopy() {
    letGo();
    ok(driver.cuCtxCreate_v2(scratch.address(), 0, 0));
    long own = made();
    long its = allocate(FITS);
    ok(driver.cuMemcpyHtoDAsync_v2(its, data.address(), FITS, 0));
    ok(driver.cuCtxDestroy_v2(own));
    ok(driver.cuCtxSetCurrent(context));
    ok(driver.cuMemcpyHtoDAsync_v2(memory, data.address(), FITS, stream));
    assertThere(FITS);
  }
}
