// SPDX-License-Identifier: Apache-2.0
package io.outboard.client;

import io.outboard.wire.Frame;
import io.outboard.wire.Native;

/** Fields of a frame's header in memory. */
final class FrameHeader {
  private FrameHeader() {}

  /** Writes a whole header without number, all else 0. */
  static void bare(long frame, int kind, int bodyBytes) {
    Native.fill(frame, Frame.HEADER, (byte) 0);
    what(frame, kind, bodyBytes);
  }

  /** Writes what the frame is. */
  static void what(long frame, int kind, int bodyBytes) {
    Native.putInt(frame + Frame.LENGTH, Frame.HEADER + bodyBytes);
    Native.putByte(frame + Frame.KIND, (byte) kind);
  }

  /** Writes whose it is. */
  static void origin(long frame, ThreadRequest request) {
    Native.putInt(frame + Frame.LANE, request.lane());
    Native.putInt(frame + Frame.THREAD, request.number());
  }

  /** Writes its place in the stream, and how many of the backend's bytes have come. */
  static void place(long frame, long number, long taken) {
    Native.putLong(frame + Frame.SEQUENCE, number);
    Native.putLong(frame + Frame.ACKNOWLEDGED, taken);
  }
}
