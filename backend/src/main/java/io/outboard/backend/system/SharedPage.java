// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.system;

import io.outboard.communicator.region.Shared;
import io.outboard.communicator.region.SharedFile;
import io.outboard.wire.Native;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * A page of memory that the daemon and one worker share: the worker's figures, and the reason of
 * its end, survive the worker.
 *
 * <pre>
 *    0  state            64 bits
 *    8  calls            64 bits
 *   16  bytes in         64 bits
 *   24  bytes out        64 bits
 *   32  live handles     64 bits
 *   40  length of cause  64 bits
 *   48  cause, UTF-8
 * 4032  links lost       64 bits: how often the client has lost its connection
 * 4040  links resumed    64 bits: how often it has come back
 * 4048  busy programs    64 bits: that the daemon serves, this one among them; the daemon writes it
 * 4056  counted in       64 bits: of the bytes, those that are on an account
 * 4064  counted out      64 bits
 * 4072  client away      64 bits, milliseconds since 1970; 0 while it is there
 * 4080  measured calls   64 bits
 * 4088  their time       64 bits, nanoseconds
 * </pre>
 *
 * <p>The worker counts as hostile: readers trust no number in the page.
 */
public final class SharedPage implements AutoCloseable {
  /** State: the session is open. */
  static final long SERVING = 1;

  private static final int BYTES = 4096;
  private static final int STATE = 0;
  private static final int CALLS = 8;
  private static final int BYTES_IN = 16;
  private static final int BYTES_OUT = 24;
  private static final int HANDLES = 32;
  private static final int CAUSE_LENGTH = 40;
  private static final int CAUSE = 48;
  private static final int LOST = 4032;
  private static final int RESUMED = 4040;
  private static final int PROGRAMS = 4048;
  private static final int COUNTED_IN = 4056;
  private static final int COUNTED_OUT = 4064;
  private static final int AWAY = 4072;
  private static final int TIMED = 4080;
  private static final int TIME = 4088;

  private final SharedFile file;
  private final long address;
  private volatile boolean several;

  private SharedPage(SharedFile file) {
    this.file = file;
    this.address = file.address();
  }

  /** Makes a page. */
  public static SharedPage create() throws IOException {
    return new SharedPage(SharedFile.create("outboard-worker", BYTES));
  }

  /** Maps a page that another process made. */
  public static SharedPage map(int descriptor) throws IOException {
    return new SharedPage(SharedFile.map(descriptor, BYTES));
  }

  /** Takes back one that a worker had. */
  public static SharedPage takeBack(int descriptor) throws IOException {
    return new SharedPage(SharedFile.takeBack(descriptor, BYTES));
  }

  public int descriptor() {
    return file.descriptor();
  }

  /** The session is open. */
  public void serving() {
    Native.putLong(address + STATE, SERVING);
  }

  /** A call has come; by the reader. */
  public void called() {
    add(CALLS, 1);
  }

  /** Bytes have come; by the reader. */
  public void received(long bytes) {
    add(BYTES_IN, bytes);
  }

  /** Bytes have gone; called by the holder of the connection's lock. */
  public void sent(long bytes) {
    add(BYTES_OUT, bytes);
  }

  /** So many handles are alive; by the reader. */
  public void alive(int handles) {
    Native.putLong(address + HANDLES, handles);
  }

  /** A call has been measured; by the leader. */
  public void timed(long nanos) {
    add(TIMED, 1);
    add(TIME, nanos);
  }

  /** Calls that were measured. */
  public long timedCalls() {
    return Native.getLong(address + TIMED);
  }

  /** How long they took together, in nanoseconds. */
  public long time() {
    return Native.getLong(address + TIME);
  }

  /** Several threads count from now on; they do so beside each other. */
  public void shared() {
    several = true;
  }

  private void add(int offset, long value) {
    if (several) {
      Shared.add(address + offset, value);
    } else {
      Native.putLong(address + offset, Native.getLong(address + offset) + value);
    }
  }

  /** So many programs are busy at the same time; by the daemon. */
  public void programs(int busy) {
    Native.putLong(address + PROGRAMS, busy);
  }

  /** How many programs are busy at the same time, 0 if that is not known; for the worker. */
  public long programs() {
    return Native.getLong(address + PROGRAMS);
  }

  /** Writes down why the worker ends; the first cause stands, and others follow from it. */
  public synchronized void cause(String text) {
    if (!cause().isEmpty()) {
      return;
    }
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    int length = Math.min(bytes.length, LOST - CAUSE);
    for (int i = 0; i < length; i++) {
      Native.putByte(address + CAUSE + i, bytes[i]);
    }
    Native.putLong(address + CAUSE_LENGTH, length);
  }

  /** The worker's last words, empty if it had no time for any. */
  public String cause() {
    int length = Math.clamp(Native.getLong(address + CAUSE_LENGTH), 0, LOST - CAUSE);
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = Native.getByte(address + CAUSE + i);
    }
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** The client has lost its connection at a moment; 0: it is there. */
  public void away(long since) {
    boolean was = awaySince() != 0;
    if (was != (since != 0)) {
      int counter = was ? RESUMED : LOST;
      Native.putLong(address + counter, Native.getLong(address + counter) + 1);
    }
    Native.putLong(address + AWAY, since);
  }

  /** How often the client has lost its connection. */
  public long linksLost() {
    return Native.getLong(address + LOST);
  }

  /** How often it has come back after that. */
  public long linksResumed() {
    return Native.getLong(address + RESUMED);
  }

  /** When the client has lost its connection, in milliseconds since 1970; 0 while it is there. */
  public long awaySince() {
    return Native.getLong(address + AWAY);
  }

  /** Whether the session was opened. */
  public boolean opened() {
    return Native.getLong(address + STATE) == SERVING;
  }

  /** Calls that came. */
  public long calls() {
    return Native.getLong(address + CALLS);
  }

  /** Bytes that came. */
  public long bytesIn() {
    return Native.getLong(address + BYTES_IN);
  }

  /** Bytes that went. */
  public long bytesOut() {
    return Native.getLong(address + BYTES_OUT);
  }

  /** So many bytes are on an account; by the daemon, for the next one. */
  public void counted(long in, long out) {
    Native.putLong(address + COUNTED_IN, in);
    Native.putLong(address + COUNTED_OUT, out);
  }

  /** Bytes that came and are on an account. */
  public long countedIn() {
    return Native.getLong(address + COUNTED_IN);
  }

  /** Bytes that went and are on an account. */
  public long countedOut() {
    return Native.getLong(address + COUNTED_OUT);
  }

  /** Handles alive when a frame last came. */
  public long handles() {
    return Native.getLong(address + HANDLES);
  }

  @Override
  public void close() {
    file.close();
  }
}
