// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import io.outboard.communicator.Memory;
import io.outboard.communicator.Posix;
import io.outboard.wire.Native;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * A page of memory that the daemon and one worker share: what the worker did, and why it ended,
 * survives the worker.
 *
 * <pre>
 *    0  calls            64 bits
 *    8  answers          64 bits
 *   16  bytes in         64 bits
 *   24  bytes out        64 bits
 *   32  length of cause  32 bits
 *   40  cause, UTF-8
 * </pre>
 */
final class SharedPage implements AutoCloseable {
  private static final int BYTES = 4096;
  private static final int CALLS = 0;
  private static final int ANSWERS = 8;
  private static final int BYTES_IN = 16;
  private static final int BYTES_OUT = 24;
  private static final int CAUSE_LENGTH = 32;
  private static final int CAUSE = 40;

  private final int descriptor;
  private final long address;

  private SharedPage(int descriptor, long address) {
    this.descriptor = descriptor;
    this.address = address;
  }

  /** Makes a page. */
  static SharedPage create() throws IOException {
    int descriptor = Memory.memfdCreate("outboard-worker", Memory.MFD_CLOEXEC);
    if (descriptor < 0 || Memory.ftruncate(descriptor, BYTES) < 0) {
      throw new IOException("memfd_create: error " + -descriptor);
    }
    return map(descriptor);
  }

  /** Maps a page that another process made. */
  static SharedPage map(int descriptor) throws IOException {
    long address =
        Memory.mmap(
            0, BYTES, Memory.PROT_READ | Memory.PROT_WRITE, Memory.MAP_SHARED, descriptor, 0);
    if (address < 0 && address > -4096) {
      throw new IOException("mmap: error " + -address);
    }
    return new SharedPage(descriptor, address);
  }

  int descriptor() {
    return descriptor;
  }

  void countCall(int bytes) {
    add(CALLS, 1);
    add(BYTES_IN, bytes);
  }

  void countAnswer(int bytes) {
    add(ANSWERS, 1);
    add(BYTES_OUT, bytes);
  }

  private void add(int offset, long value) {
    Native.putLong(address + offset, Native.getLong(address + offset) + value);
  }

  /** Writes down why the worker ends. */
  void cause(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    int length = Math.min(bytes.length, BYTES - CAUSE);
    for (int i = 0; i < length; i++) {
      Native.putByte(address + CAUSE + i, bytes[i]);
    }
    Native.putInt(address + CAUSE_LENGTH, length);
  }

  /** What the worker wrote down, empty if it had no time to. */
  String cause() {
    int length = Math.clamp(Native.getInt(address + CAUSE_LENGTH), 0, BYTES - CAUSE);
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = Native.getByte(address + CAUSE + i);
    }
    return new String(bytes, StandardCharsets.UTF_8);
  }

  long calls() {
    return Native.getLong(address + CALLS);
  }

  long bytesIn() {
    return Native.getLong(address + BYTES_IN);
  }

  long bytesOut() {
    return Native.getLong(address + BYTES_OUT);
  }

  @Override
  public void close() {
    Memory.munmap(address, BYTES);
    Posix.close(descriptor);
  }
}
