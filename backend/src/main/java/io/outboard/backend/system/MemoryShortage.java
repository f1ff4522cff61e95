// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.system;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.posix.Posix;
import io.outboard.wire.Native;

/** Whom the kernel ends first where the machine's memory is short. */
public final class MemoryShortage {
  private static final String SCORE = "/proc/self/oom_score_adj";
  private static final int READ_AND_WRITE = 2;
  private static final int ROOM = 16;

  /** Half of the range: a worker goes before a daemon that has twice its memory. */
  private static final int BEFORE_DAEMON = 500;

  private static final int MOST = 1000;

  private MemoryShortage() {}

  /**
   * Has this process, which the daemon has started, and all that it starts end before the daemon. A
   * kernel that does not permit that changes nothing.
   */
  public static void endBeforeDaemon() {
    int file = Posix.open(SCORE, READ_AND_WRITE, 0);
    if (file < 0) {
      Log.debug("the order of ends where memory is short: " + Errno.text(-file));
      return;
    }
    try (NativeBuffer buffer = new NativeBuffer(ROOM)) {
      raise(file, buffer);
    } finally {
      Posix.close(file);
    }
  }

  private static void raise(int file, NativeBuffer buffer) {
    int length = (int) Posix.read(file, buffer.address(), ROOM);
    byte[] said = new byte[Math.max(0, length)];
    for (int i = 0; i < length; i++) {
      said[i] = Native.getByte(buffer.address() + i);
    }
    int daemons = Integer.parseInt(new String(said, US_ASCII).strip());
    byte[] wanted = Integer.toString(Math.min(MOST, daemons + BEFORE_DAEMON)).getBytes(US_ASCII);
    buffer.put(0, wanted, 0, wanted.length);
    if (Posix.write(file, buffer.address(), wanted.length) < 0) {
      Log.debug("the order of ends where memory is short stays as it is");
    }
  }
}
