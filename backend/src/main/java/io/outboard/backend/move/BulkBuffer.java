// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.move;

import io.outboard.wire.Native;
import io.outboard.wire.Piece;

/** Room for one piece of bulk data, and for its header just before it. */
final class BulkBuffer {
  private final long address;

  BulkBuffer(long address) {
    this.address = address;
  }

  /** Where the piece is; its header ends there. */
  long address() {
    return address;
  }

  long header() {
    return address - Piece.HEADER;
  }

  long transfer() {
    return Native.getLong(header() + Piece.TRANSFER);
  }

  long offset() {
    return Native.getLong(header() + Piece.OFFSET);
  }

  int bytes() {
    return Native.getInt(header() + Piece.BYTES);
  }

  /** Says what lies in it, or is to. */
  void describe(long transfer, long offset, int bytes) {
    Native.putLong(header() + Piece.TRANSFER, transfer);
    Native.putLong(header() + Piece.OFFSET, offset);
    Native.putInt(header() + Piece.BYTES, bytes);
    Native.putInt(header() + Piece.BYTES + Integer.BYTES, 0);
  }
}
