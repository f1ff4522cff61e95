// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.session;

import io.outboard.backend.system.NativeBuffer;
import io.outboard.wire.Frame;
import io.outboard.wire.Native;
import java.io.IOException;

/**
 * Records of the calls of a session whose client asked for them; sent when a frame of them is full.
 */
final class CallTrace implements AutoCloseable {
  private static final int RECORD = 40;
  private static final int RECORDS = 1024;

  private final Connection connection;
  private volatile boolean on;
  private NativeBuffer frame;
  private int records;

  CallTrace(Connection connection) {
    this.connection = connection;
  }

  /** Whether calls are to be recorded. */
  boolean isOn() {
    return on;
  }

  /** Records from here on. */
  synchronized void start() {
    if (frame == null) {
      frame = new NativeBuffer(Frame.HEADER + RECORDS * RECORD);
      on = true;
    }
  }

  /** Keeps a call that has returned; times are those of {@link System#nanoTime}. */
  synchronized void add(CallFrame call, int result, long begin, long end) throws IOException {
    long at = frame.address() + Frame.HEADER + (long) records * RECORD;
    Native.putLong(at, call.sequence);
    Native.putInt(at + 8, call.libraryNumber);
    Native.putInt(at + 12, call.number);
    Native.putInt(at + 16, call.thread);
    Native.putInt(at + 20, result);
    Native.putLong(at + 24, begin);
    Native.putLong(at + 32, end);
    records++;
    if (records == RECORDS) {
      flush();
    }
  }

  /** Sends what is kept. */
  synchronized void flush() throws IOException {
    if (records == 0) {
      return;
    }
    int bytes = Frame.HEADER + records * RECORD;
    Native.fill(frame.address(), Frame.HEADER, (byte) 0);
    Native.putInt(frame.address() + Frame.LENGTH, bytes);
    Native.putByte(frame.address() + Frame.KIND, (byte) Frame.KIND_TRACE);
    records = 0;
    connection.write(frame.address(), bytes);
  }

  @Override
  public synchronized void close() {
    on = false;
    if (frame != null) {
      frame.close();
      frame = null;
    }
  }
}
