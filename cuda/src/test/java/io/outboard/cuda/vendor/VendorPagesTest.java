// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda.vendor;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.outboard.cuda.CudaResult;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class VendorPagesTest {
  private final VendorPages pages = new VendorPages(null);

  /** The driver waits for a function of the program, which touches other managed memory. */
  @Test
  void pagesAreLookedUpWhileTheDriverFrees() throws Exception {
    pages.add(0x10000, 0x10000, 4096);
    assertEquals(CudaResult.SUCCESS, pages.end(0x10000, _ -> whileAnotherThreadTouches()));
  }

  private int whileAnotherThreadTouches() {
    CompletableFuture<Integer> touch =
        CompletableFuture.supplyAsync(() -> pages.load(0x20000, 0x30000, 8));
    try {
      assertEquals(CudaResult.INVALID_VALUE, touch.get(5, SECONDS));
      return CudaResult.SUCCESS;
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new AssertionError("the touch waits for the driver", e);
    }
  }

  @Test
  void memoryThatCannotBeFreedStays() {
    pages.add(0x20000, 0x10000, 4096);
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
