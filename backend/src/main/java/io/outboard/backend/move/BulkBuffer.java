// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.move;

/** Room for one piece of bulk data, and which piece lies in it. */
final class BulkBuffer {
  private final long address;
  private long transfer;
  private long offset;
  private int bytes;

  BulkBuffer(long address) {
    this.address = address;
  }

  long address() {
    return address;
  }

  long transfer() {
    return transfer;
  }

  long offset() {
    return offset;
  }

  int bytes() {
    return bytes;
  }

  /** Says what lies in it, or is to. */
  void describe(long transfer, long offset, int bytes) {
    this.transfer = transfer;
    this.offset = offset;
    this.bytes = bytes;
  }
}
