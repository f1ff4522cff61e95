// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.opencl;

import io.outboard.backend.move.BulkMover;
import io.outboard.backend.move.DeviceCopies;
import io.outboard.opencl.OpenClResult;
import io.outboard.opencl.transfer.BulkBytes;
import io.outboard.wire.Native;

/** Moves pieces from and to memory of this process: a copy is over when it has been asked for. */
final class BulkHostCopies implements BulkBytes {
  private final BulkMover mover;

  BulkHostCopies(BulkMover mover) {
    this.mover = mover;
  }

  private interface Piece {
    void copy(long data, long offset, int bytes);
  }

  private enum Over implements DeviceCopies.Mark {
    NOW;

    @Override
    public boolean isDone() {
      return true;
    }

    @Override
    public int await() {
      return OpenClResult.SUCCESS;
    }

    @Override
    public void end() {
      // Nothing is held.
    }
  }

  private record Copies(Piece piece) implements DeviceCopies {
    @Override
    public int start(long data, long offset, int bytes) {
      piece.copy(data, offset, bytes);
      return OpenClResult.SUCCESS;
    }

    @Override
    public Mark mark() {
      return Over.NOW;
    }

    @Override
    public Object order() {
      return Over.NOW;
    }

    @Override
    public long patienceNs() {
      return Long.MAX_VALUE;
    }

    @Override
    public int code(Failure failure) {
      return OpenClBulkCopies.codeOf(failure);
    }
  }

  @Override
  public int take(long transfer, long data, long bytes) {
    return mover.up(
        bytes,
        transfer,
        new Copies((from, offset, count) -> Native.copy(from, data + offset, count)));
  }

  @Override
  public int send(long transfer, long data, long bytes) {
    return mover.send(data, bytes, transfer, OpenClBulkCopies::codeOf);
  }
}
