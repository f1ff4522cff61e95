// SPDX-License-Identifier: Apache-2.0
package io.outboard.wire;

/**
 * A session as generated JVM clients see it: the counterpart of the frontend's {@code ob_begin} and
 * {@code ob_send}.
 */
public interface Caller {
  /** Begins a call of this thread; its body has {@code fixed} zeroed bytes. */
  Request begin(int library, int number, int fixed);

  /** Mints a handle. */
  long mint(int kind);

  /** Ends a handle that was minted here. */
  void retire(long handle);

  /**
   * The flag of a call about a handle: {@link Frame#FLAG_ORDERED} where the latest calls about it
   * may have been posted in another lane than the calling thread's, else 0.
   */
  default int order(long handle) {
    return 0;
  }

  /** A handle belongs to the calling thread's lane from here on. */
  default void note(long handle) {}

  /**
   * Keeps a function of the client, for which the backend may ask then.
   *
   * @param position of the user data among the function's arguments
   * @param repeated whether it may ask more than once
   * @return the number that travels in the function's place
   */
  default long keep(long function, long userData, int position, boolean repeated) {
    throw new UnsupportedOperationException("a client without functions of its own");
  }

  /**
   * Waits for the replies to all that the thread has asked for with {@link Request#ask}.
   *
   * @param result that of the last {@code ask}
   * @return the first failure, else success
   */
  default int settle(int result) {
    return result;
  }

  /**
   * Copies a part of a reply to memory.
   *
   * @param at where the part begins in the reply
   * @return where the next part begins
   */
  static int take(long reply, int at, long to) {
    long bytes = Native.getLong(reply + at);
    Native.copy(reply + at + Long.BYTES, to, bytes);
    return at + Long.BYTES + (int) Frame.align(bytes);
  }

  /**
   * Where the part of a reply that follows another one begins.
   *
   * @param at where that one begins, or −1
   * @param bytes its length; of a text that ends the reply, at most. A text has a NUL.
   * @return −1 where there is no such part
   */
  static int past(long reply, int replyBytes, int at, long bytes, boolean text) {
    int room = replyBytes - at - Long.BYTES;
    if (at < 0 || room < 0) {
      return -1;
    }
    long length = Native.getLong(reply + at);
    if (length < 0 || length > room) {
      return -1;
    }
    int next = at + Long.BYTES + (int) Frame.align(length);
    boolean cut = text && next == replyBytes && length < bytes;
    boolean fits = length == bytes || cut;
    return fits && (!text || bytes == 0 || ends(reply + at + Long.BYTES, length)) ? next : -1;
  }

  private static boolean ends(long text, long bytes) {
    long at = 0;
    while (at < bytes && Native.getByte(text + at) != 0) {
      at++;
    }
    return at < bytes;
  }

  /** One request, reused by its thread. */
  interface Request {
    /** Address of the body; moves when {@link #append} needs more room. */
    long body();

    /** Appends a variable part: its length in 8 bytes, then the bytes, padded to 8. */
    void append(long address, long bytes);

    /**
     * Sends the call.
     *
     * @param flags {@link Frame#FLAG_ANSWER} waits for the reply
     * @return the result; success where nothing waits
     */
    int send(int flags);

    /**
     * Sends a call that is answered with one part for memory of {@code bytes} bytes, and may return
     * before the answer. The bytes are there after {@link Caller#settle}.
     *
     * @param to the memory; 0 where the answer has no part
     * @return success, or the result of an earlier one that failed: then this one is not sent
     */
    default int ask(int flags, long to, long bytes) {
      int result = send(flags | Frame.FLAG_ANSWER);
      int end = to == 0 ? 0 : past(reply(), replyBytes(), 0, bytes, false);
      if (result == 0 && end != replyBytes()) {
        return malformed();
      }
      if (result == 0 && to != 0) {
        int unused = take(reply(), 0, to);
      }
      return result;
    }

    /**
     * The reply to a success has another shape than the call's outputs: the session is lost.
     *
     * @return the library's result of a lost backend
     */
    default int malformed() {
      throw new ProtocolException("a reply is not of its call's shape");
    }

    /** Address of the reply's body, 0 if it has none. */
    long reply();

    /** Bytes of the reply's body. */
    int replyBytes();
  }
}
