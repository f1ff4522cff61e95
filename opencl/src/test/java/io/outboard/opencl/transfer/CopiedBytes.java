// SPDX-License-Identifier: Apache-2.0
package io.outboard.opencl.transfer;

import io.outboard.opencl.OpenClResult;
import io.outboard.wire.Native;

/** A client whose memory is here: transfer 1 moves what lies there, any other fails. */
final class CopiedBytes implements BulkBytes {
  static final long TRANSFER = 1;

  private final long client;

  CopiedBytes(long client) {
    this.client = client;
  }

  @Override
  public int take(long transfer, long data, long bytes) {
    return copy(transfer, client, data, bytes);
  }

  @Override
  public int send(long transfer, long data, long bytes) {
    return copy(transfer, data, client, bytes);
  }

  private static int copy(long transfer, long from, long to, long bytes) {
    if (transfer != TRANSFER) {
      return OpenClResult.INVALID_OPERATION;
    }
    Native.copy(from, to, bytes);
    return OpenClResult.SUCCESS;
  }
}
