// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.devices;

import io.outboard.backend.system.NativeBuffer;
import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.posix.Memory;
import io.outboard.communicator.posix.Posix;
import io.outboard.wire.Native;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A standard stream of this process, led into a file in memory, so that text of native code can be
 * taken from there. A pipe would do only with a thread that reads it at all times.
 */
final class CapturedStream {
  private static final String NAME = "outboard-stream";

  private final int file;
  private long taken;

  private CapturedStream(int file) {
    this.file = file;
  }

  /** Captures a stream, by its descriptor, for the rest of the process's life. */
  static CapturedStream of(int descriptor) throws IOException {
    CapturedStream stream = silent();
    Errno.check(Posix.fcntl(stream.file, Posix.F_SETFL, Posix.O_APPEND), NAME);
    Errno.check(Posix.dup2(stream.file, descriptor), NAME);
    return stream;
  }

  /** One that nothing is written to, for warm-ups. */
  static CapturedStream silent() throws IOException {
    return new CapturedStream(Errno.check(Memory.memfdCreate(NAME, Memory.MFD_CLOEXEC), NAME));
  }

  /** Takes what was written since the last time; the C library's streams must be flushed. */
  synchronized byte[] take() {
    int bytes = (int) Math.min(Posix.length(file) - taken, Integer.MAX_VALUE);
    if (bytes <= 0) {
      return new byte[0];
    }
    byte[] text = read(bytes);
    taken += text.length;
    Memory.discard(file, 0, taken);
    return text;
  }

  private byte[] read(int bytes) {
    try (NativeBuffer buffer = new NativeBuffer(bytes)) {
      int done = (int) Math.max(Posix.pread(file, buffer.address(), bytes, taken), 0);
      byte[] text = new byte[done];
      MemorySegment.copy(Native.MEMORY, ValueLayout.JAVA_BYTE, buffer.address(), text, 0, done);
      return text;
    }
  }
}
