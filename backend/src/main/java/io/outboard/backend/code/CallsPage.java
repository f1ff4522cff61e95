// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.code;

import io.outboard.communicator.region.SharedFile;
import io.outboard.wire.Native;
import java.io.IOException;

/**
 * The page that the daemon shares with the worker of one session: the worker says how many calls
 * run there, and the daemon how many run in the other workers of code. Hostile code can write this
 * page alone.
 */
public final class CallsPage implements AutoCloseable {
  private static final long BYTES = 4096;
  private static final int OWN = 0;
  private static final int OTHERS = 64;
  private static final int MOST_OTHERS = 0xffff - CodeSession.CALLS;

  private final SharedFile file;

  private CallsPage(SharedFile file) {
    this.file = file;
  }

  /** Makes one. */
  public static CallsPage create() throws IOException {
    return new CallsPage(SharedFile.create("outboard-calls", BYTES));
  }

  /** Maps one that the daemon has made; takes over the descriptor. */
  static CallsPage map(int descriptor) throws IOException {
    return new CallsPage(SharedFile.map(descriptor, BYTES));
  }

  /** Its descriptor. */
  public int descriptor() {
    return file.descriptor();
  }

  /** How many calls run in its worker, as far as that says the truth. */
  public int own() {
    return Math.clamp(Native.getInt(file.address() + OWN), 0, CodeSession.CALLS);
  }

  /** Says how many run in its worker. */
  public void own(int calls) {
    Native.putInt(file.address() + OWN, calls);
  }

  /** Says how many run in the others. */
  public void others(int calls) {
    Native.putInt(file.address() + OTHERS, Math.min(calls, MOST_OTHERS));
  }

  /** How many run in the others. */
  public int others() {
    return Native.getInt(file.address() + OTHERS);
  }

  @Override
  public void close() {
    file.close();
  }
}
