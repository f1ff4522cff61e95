// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.worker;

import io.outboard.backend.system.NativeBuffer;
import io.outboard.communicator.posix.Descriptors;
import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.Sockets;
import io.outboard.wire.Bytes;
import io.outboard.wire.Native;
import io.outboard.wire.Token;
import java.io.IOException;

/**
 * The messages by which a daemon takes over a worker whose own daemon has gone. Both prove the
 * worker's key, and neither sends it. The worker says first which version of these messages it
 * speaks; a daemon that does not speak it answers with version 0.
 *
 * <pre>
 *   worker   u32 magic, u32 version, u8[32] nonce
 *   daemon   u32 magic, u32 version or 0, u8[32] nonce, u8[32] proof
 *   worker   u8[32] proof, with the descriptors of the pages that both had
 * </pre>
 */
public final class TakeOver {
  /** Of these messages, and of the daemon's facts of a session. */
  public static final int VERSION = 1;

  private static final int NONE = 0;
  private static final int MAGIC = 0x4F54424F;
  private static final int NONCE = 32;
  private static final int HEAD = 8;
  private static final int TIMEOUT_MS = 5_000;

  private TakeOver() {}

  /** The daemon does not speak the worker's version, or the worker not the daemon's. */
  public static final class OtherVersion extends IOException {
    private static final long serialVersionUID = 1L;

    private OtherVersion(String message) {
      super(message);
    }
  }

  /**
   * The worker's side.
   *
   * @param pages descriptors that the daemon gets
   * @throws OtherVersion if this daemon will never take it over
   * @throws IOException if the peer proves nothing, goes or takes too long
   */
  public static void offer(int socket, Token key, int... pages) throws IOException {
    limit(socket, TIMEOUT_MS);
    try (NativeBuffer buffer = new NativeBuffer(HEAD + 2L * NONCE)) {
      Bytes nonce = Bytes.random(NONCE);
      head(buffer, VERSION);
      put(buffer, HEAD, nonce);
      write(socket, buffer, HEAD + NONCE);
      read(socket, buffer, HEAD + 2 * NONCE);
      requireVersion(buffer);
      Bytes theirs = get(buffer, HEAD);
      require(get(buffer, HEAD + NONCE).equals(key.clientProof(theirs, nonce)));
      put(buffer, 0, key.serverProof(nonce, theirs));
      int sent = Descriptors.send(socket, pages, buffer.address(), NONCE);
      require(sent == NONCE);
    }
    limit(socket, 0);
  }

  /**
   * The daemon's side.
   *
   * @param pages how many descriptors it is to get
   * @return the descriptors
   * @throws OtherVersion if the worker speaks another version, which it has been told
   * @throws IOException if the peer proves nothing, goes or takes too long
   */
  public static int[] take(int socket, Token key, int pages) throws IOException {
    limit(socket, TIMEOUT_MS);
    int[] got = new int[pages];
    try (NativeBuffer buffer = new NativeBuffer(HEAD + 2L * NONCE)) {
      read(socket, buffer, HEAD + NONCE);
      Bytes theirs = get(buffer, HEAD);
      refuseOtherVersion(socket, buffer);
      Bytes nonce = Bytes.random(NONCE);
      head(buffer, VERSION);
      put(buffer, HEAD, nonce);
      put(buffer, HEAD + NONCE, key.clientProof(nonce, theirs));
      write(socket, buffer, HEAD + 2 * NONCE);
      int n = Descriptors.receive(socket, got, buffer.address(), NONCE);
      if (n != NONCE
          || got[pages - 1] < 0
          || !get(buffer, 0).equals(key.serverProof(theirs, nonce))) {
        close(got);
        require(false);
      }
    }
    limit(socket, 0);
    return got;
  }

  /** Tells a worker that it will not be taken over, and may end with its session. */
  public static void refuse(int socket) throws IOException {
    limit(socket, TIMEOUT_MS);
    try (NativeBuffer buffer = new NativeBuffer(HEAD + 2L * NONCE)) {
      read(socket, buffer, HEAD + NONCE);
      sayNever(socket, buffer);
    }
  }

  /** Limits how long either side waits for the other: one that has been stopped says nothing. */
  private static void limit(int socket, int milliseconds) {
    Sockets.setTimeout(socket, milliseconds);
    Sockets.setReadTimeout(socket, milliseconds);
  }

  private static void close(int[] descriptors) {
    for (int descriptor : descriptors) {
      if (descriptor >= 0) {
        Posix.close(descriptor);
      }
    }
  }

  private static void refuseOtherVersion(int socket, NativeBuffer buffer) throws IOException {
    if (Native.getInt(buffer.address() + 4) != VERSION) {
      int theirs = Native.getInt(buffer.address() + 4);
      sayNever(socket, buffer);
      throw new OtherVersion("it speaks version " + theirs + ", this backend " + VERSION);
    }
  }

  private static void sayNever(int socket, NativeBuffer buffer) throws IOException {
    head(buffer, NONE);
    write(socket, buffer, HEAD + 2 * NONCE);
  }

  private static void requireVersion(NativeBuffer buffer) throws IOException {
    if (Native.getInt(buffer.address() + 4) != VERSION) {
      throw new OtherVersion("the backend does not know this worker's version");
    }
  }

  private static void require(boolean proven) throws IOException {
    if (!proven) {
      throw new IOException("the peer does not prove the key");
    }
  }

  private static void head(NativeBuffer buffer, int version) {
    Native.putInt(buffer.address(), MAGIC);
    Native.putInt(buffer.address() + 4, version);
  }

  private static void put(NativeBuffer buffer, int at, Bytes bytes) {
    byte[] copy = bytes.toArray();
    buffer.put(at, copy, 0, copy.length);
  }

  private static Bytes get(NativeBuffer buffer, int at) {
    byte[] bytes = new byte[NONCE];
    for (int i = 0; i < NONCE; i++) {
      bytes[i] = Native.getByte(buffer.address() + at + i);
    }
    return Bytes.of(bytes);
  }

  private static void write(int socket, NativeBuffer buffer, int bytes) throws IOException {
    if (Posix.writeAll(socket, buffer.address(), bytes) < 0) {
      throw new IOException("the peer has gone");
    }
  }

  private static void read(int socket, NativeBuffer buffer, int bytes) throws IOException {
    for (int done = 0; done < bytes; ) {
      long n = Posix.read(socket, buffer.address() + done, bytes - done);
      if (n <= 0) {
        boolean late = n == -Errno.EAGAIN;
        throw new IOException(late ? "the peer says nothing" : "the peer has gone");
      }
      done += (int) n;
    }
    if (Native.getInt(buffer.address()) != MAGIC) {
      throw new IOException("the peer is no Outboard");
    }
  }
}
