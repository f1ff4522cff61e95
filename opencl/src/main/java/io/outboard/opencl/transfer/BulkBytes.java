// SPDX-License-Identifier: Apache-2.0
package io.outboard.opencl.transfer;

/**
 * Moves bytes between memory of this process and the client, over its connections for bulk data.
 * Both return when all bytes have moved, or are on their way: 0, or why they have not.
 */
public interface BulkBytes {
  /** Takes what comes of a transfer. */
  int take(long transfer, long data, long bytes);

  /** Sends all of a transfer; the memory is free when this returns. */
  int send(long transfer, long data, long bytes);
}
