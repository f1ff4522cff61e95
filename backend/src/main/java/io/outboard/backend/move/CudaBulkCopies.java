// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.move;

import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaResult;
import java.util.function.Predicate;

/** CUDA's copies over connections for bulk data, through page-locked memory. */
public final class CudaBulkCopies extends CudaPieces {
  private final BulkMover mover;

  /** For a session's transfers, which {@code delegate} copies. */
  public CudaBulkCopies(CudaDriver delegate, BulkMover mover) {
    super(delegate);
    this.mover = mover;
  }

  @Override
  public int outboardBulkUp(long destination, long bytes, long stream, long transfer) {
    return mover.up(bytes, transfer, up(destination, stream));
  }

  @Override
  public int outboardBulkDown(long source, long bytes, long stream, long transfer) {
    return mover.down(bytes, transfer, down(source, stream));
  }

  @Override
  public int outboardBulkDrop(long transfer) {
    mover.drop(transfer);
    return CudaResult.SUCCESS;
  }

  @Override
  void lock(BulkBuffers.Lock lock) {
    mover.pageLock(lock);
  }

  @Override
  void settle(Predicate<Object> orders) {
    mover.settle(orders);
  }
}
