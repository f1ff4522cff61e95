// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.run;

import io.outboard.ptx.host.PtxLaunch;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * All blocks of a cooperative launch, which may wait for each other. Each runs as far as it can and
 * goes back to the end of the queue, so that also a single worker brings all of them to their end.
 */
final class BlockPool {
  private final ConcurrentLinkedQueue<BlockRunner> ready = new ConcurrentLinkedQueue<>();
  private final AtomicLong left;

  BlockPool(CompiledKernel kernel, PtxLaunch launch) {
    long blocks = launch.grid().count();
    int processors = launch.host().parallelism();
    left = new AtomicLong(blocks);
    for (long block = 0; block < blocks; block++) {
      BlockContext context = BlockContext.of(kernel, launch, (int) (block % processors));
      context.enter(block);
      BlockRunner runner = new BlockRunner(kernel, context);
      runner.begin();
      ready.add(runner);
    }
  }

  /** Whether blocks have not finished yet. */
  boolean isOpen() {
    return left.get() > 0;
  }

  /** Ends it, whatever is left. */
  void close() {
    left.set(0);
  }

  /** A block that can run; null if others have them all. */
  BlockRunner take() {
    return ready.poll();
  }

  /** Takes a block back that has run for a while. */
  void putBack(BlockRunner runner, boolean finished) {
    if (finished) {
      left.decrementAndGet();
    } else {
      ready.add(runner);
    }
  }
}
