// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.move;

import io.outboard.backend.system.Log;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaResult;
import io.outboard.wire.ProtocolException;
import io.outboard.wire.Slot;
import java.util.function.Predicate;

/** CUDA's copies over links between hosts, through page-locked memory. */
public final class CudaLinkCopies extends CudaPieces {
  private final LinkedHosts links;

  /** For a session's links, which {@code delegate} copies to and from. */
  public CudaLinkCopies(CudaDriver delegate, LinkedHosts links) {
    super(delegate);
    this.links = links;
  }

  private boolean isLinked(int slot) {
    return slot > 0 && slot < Slot.MOST && links.to(slot).isThere();
  }

  @Override
  public int outboardLinkFind(int slot) {
    return isLinked(slot) ? CudaResult.SUCCESS : CudaResult.NOT_SUPPORTED;
  }

  @Override
  public int outboardLinkSend(long source, long bytes, long stream, long transfer, int slot) {
    return isLinked(slot)
        ? links.sender(slot).down(bytes, transfer, down(source, stream))
        : CudaResult.NOT_SUPPORTED;
  }

  /** The other host is another user's machine, perhaps: what it gets wrong is not this client's. */
  @Override
  public int outboardLinkReceive(long destination, long bytes, long stream, long transfer) {
    if (links.from().hasLost(transfer)) {
      return CudaResult.DEVICE_UNAVAILABLE;
    }
    try {
      return links.receiver().upAndAwait(bytes, transfer, up(destination, stream));
    } catch (ProtocolException e) {
      Log.warn("a link to another host ends: " + e.getMessage());
      links.dropAll();
      return CudaResult.DEVICE_UNAVAILABLE;
    }
  }

  @Override
  void lock(BulkBuffers.Lock lock) {
    links.movers().forEach(mover -> mover.pageLock(lock));
  }

  @Override
  void settle(Predicate<Object> orders) {
    links.movers().forEach(mover -> mover.settle(orders));
  }
}
