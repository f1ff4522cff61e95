// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda.vendor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.outboard.cuda.CudaResult;
import io.outboard.cuda.PageRuns;
import io.outboard.patience.Patience;
import io.outboard.wire.Native;
import java.lang.foreign.Arena;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

class VendorPagesTest {
  private final VendorPages pages = new VendorPages(null);

  /** The driver waits for a function of the program, which touches other managed memory. */
  @Test
  void pagesAreLookedUpWhileTheDriverFrees() throws Exception {
    pages.addManaged(0x10000, 0x10000, 4096);
    assertEquals(CudaResult.SUCCESS, pages.end(0x10000, _ -> whileAnotherThreadTouches()));
  }

  private int whileAnotherThreadTouches() {
    CompletableFuture<Integer> touch =
        CompletableFuture.supplyAsync(() -> load(0x20000, 0x30000, 8));
    try {
      assertEquals(CudaResult.INVALID_VALUE, Patience.get(touch));
      return CudaResult.SUCCESS;
    } catch (InterruptedException | ExecutionException e) {
      throw new AssertionError("the touch waits for the driver", e);
    }
  }

  @Test
  void theProcessorCopiesMemoryOfThisProcessAndNothingBeside() {
    try (Arena arena = Arena.ofConfined()) {
      long memory = arena.allocate(64, 8).address();
      long other = arena.allocate(8, 8).address();
      pages.addHost(memory, 64);
      Native.putLong(other, 77);
      assertEquals(CudaResult.SUCCESS, pages.store(memory + 56, other, 8));
      assertEquals(77, Native.getLong(memory + 56));
      Native.putLong(memory, 78);
      assertEquals(CudaResult.SUCCESS, load(other, memory, 8));
      assertEquals(78, Native.getLong(other));
      assertEquals(CudaResult.INVALID_VALUE, load(other, memory + 60, 8));
      assertEquals(CudaResult.INVALID_VALUE, pages.store(memory, 0, 8));
      assertEquals(CudaResult.SUCCESS, pages.end(memory, unused -> CudaResult.SUCCESS));
      assertEquals(CudaResult.INVALID_VALUE, load(other, memory, 8));
    }
  }

  private int load(long data, long address, long size) {
    try (Arena arena = Arena.ofConfined()) {
      long run = arena.allocate(16, 8).address();
      Native.putLong(run, address);
      Native.putLong(run + 8, size);
      return pages.load(data, new PageRuns(run, run + 8, 1));
    }
  }

  @Test
  void memoryThatCannotBeFreedStays() {
    pages.addManaged(0x20000, 0x10000, 4096);
    assertEquals(
        CudaResult.INVALID_CONTEXT,
        pages.end(
            0x20000,
            allocated -> {
              assertEquals(0x10000, allocated);
              return CudaResult.INVALID_CONTEXT;
            }));
    assertEquals(
        CudaResult.SUCCESS,
        pages.end(
            0x20000,
            allocated -> {
              assertEquals(0x10000, allocated);
              return CudaResult.SUCCESS;
            }));
  }
}
