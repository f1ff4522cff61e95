// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.move;

/**
 * A piece on its way to the client.
 *
 * @param data where it lies; the memory is free once {@code sent} has run
 */
record BulkPiece(long transfer, long offset, long data, int bytes, Runnable sent) {}
