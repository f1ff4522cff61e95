// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.port;

import io.outboard.wire.Frame;

/**
 * A frame of a channel.
 *
 * <pre>
 *   u32 kind │ u32 channel │ u32 bytes │ u32 0 │ body, padded to 8 │ u64 nonce of the taker
 * </pre>
 *
 * @param bytes of the body, or of credit
 * @param body where it lies, until the next frame is taken
 */
record PortFrame(int kind, int channel, int bytes, long body) {
  static final int OPEN = 1;
  static final int DATA = 2;
  static final int CREDIT = 3;
  static final int END = 4;
  static final int CLOSE = 5;

  static final int HEADER = 16;
  static final int SEAL = 8;

  /** Most bytes of a body. */
  static final int PIECE = 64 << 10;

  /** So many bytes of a channel may be on their way. */
  static final int WINDOW = 256 << 10;

  /** Bytes of the longest frame. */
  static final int MOST = HEADER + PIECE + SEAL;

  /** Whether a frame can be so. */
  boolean isSound() {
    return switch (kind) {
      case DATA -> bytes > 0 && bytes <= PIECE;
      case CREDIT -> bytes > 0 && bytes <= WINDOW;
      case OPEN, END, CLOSE -> bytes == 0;
      default -> false;
    };
  }

  /** Bytes of a body as it travels. */
  static int padded(int kind, int bytes) {
    return kind == DATA ? (int) Frame.align(bytes) : 0;
  }
}
