// SPDX-License-Identifier: Apache-2.0
package io.outboard.wire;

/**
 * The fixed header before each body; little-endian, 8-aligned.
 *
 * <pre>
 *   0        4    5     6      8         12       16       20       24         32            40
 *   +--------+----+-----+------+---------+--------+--------+--------+----------+-------------+------
 *   | length |kind|flags| call | library |  lane  | thread | result | sequence | acknowledged| body
 *   +--------+----+-----+------+---------+--------+--------+--------+----------+-------------+------
 * </pre>
 *
 * {@code length} counts header and body and is a multiple of 8.
 */
public final class Frame {
  /** Bytes of the header. */
  public static final int HEADER = 40;

  /** Offset of the length, 32 bits. */
  public static final int LENGTH = 0;

  /** Offset of the kind, 8 bits. */
  public static final int KIND = 4;

  /** Offset of the flags, 8 bits. */
  public static final int FLAGS = 5;

  /** Offset of the call's number, 16 bits. */
  public static final int CALL = 6;

  /** Offset of the library's number, 32 bits. */
  public static final int LIBRARY = 8;

  /**
   * Offset of the lane, 32 bits: the index of the context's handle, 0 where there is no context.
   */
  public static final int LANE = 12;

  /** Offset of the client thread's number, 32 bits. */
  public static final int THREAD = 16;

  /** Offset of the result, 32 bits; in replies. */
  public static final int RESULT = 20;

  /** Offset of the sequence number, 64 bits; a reply carries its call's. */
  public static final int SEQUENCE = 24;

  /**
   * Offset of the count of bytes of the other side's frames that have come, 64 bits; in a session
   * that outlives its connection.
   */
  public static final int ACKNOWLEDGED = 32;

  /** Kind: client to backend, a call. */
  public static final int KIND_CALL = 1;

  /** Kind: backend to client, the answer to a call. */
  public static final int KIND_REPLY = 2;

  /** Kind: bytes that belong to the thread's next call (see {@link Limits#PAYLOAD}). */
  public static final int KIND_PAYLOAD = 3;

  /** Kind: backend to client, text that a kernel printed. */
  public static final int KIND_OUTPUT = 4;

  /** Kind: are you there? Either side; answered with {@link #KIND_PONG}. */
  public static final int KIND_PING = 5;

  /** Kind: I am. */
  public static final int KIND_PONG = 6;

  /** Kind: this side ends the session in good order. */
  public static final int KIND_GOODBYE = 7;

  /** Kind: client to backend, the thread has ended. */
  public static final int KIND_THREAD_END = 8;

  /** Kind: backend to client, run the callback whose number is the body's first 8 bytes. */
  public static final int KIND_CALLBACK = 9;

  /** Kind: client to backend, that callback has returned. */
  public static final int KIND_CALLBACK_DONE = 10;

  /** Kind: backend to client, a line for people, to go to the program's standard error. */
  public static final int KIND_MESSAGE = 11;

  /**
   * Kind: from the client, "keep records of the calls from here on, and send those that you have";
   * answered with a reply. From the backend, records of calls: see {@code PROTOCOL.md}.
   */
  public static final int KIND_TRACE = 12;

  /**
   * Kind: from the client, "open this library, which the greeting did not list"; answered with a
   * reply. Bodies: {@link Hello.Library} and {@link Welcome.Library}, nothing where the backend
   * lacks it.
   */
  public static final int KIND_LIBRARY = 13;

  /**
   * Kind: from the client, "send the lines of the log that you have"; answered with a reply. From
   * the backend, such lines, for a client that wants them ({@link Hello#FLAG_LOG}).
   */
  public static final int KIND_LOG = 14;

  /**
   * Kind: "the connections for bulk data are lost, and what was under way over them, up to the
   * transfer in the body"; the other side may see nothing of that.
   */
  public static final int KIND_BULK_LOST = 15;

  /** Kind, from the client: opens a further ring. */
  public static final int KIND_RING = 16;

  /** Flag: the caller waits for a reply. */
  public static final int FLAG_ANSWER = 1;

  /** Flag: stream 0 means the calling thread's own default stream. */
  public static final int FLAG_PER_THREAD = 2;

  /**
   * Flag: the call names another lane's handle: it starts when all earlier frames of the session
   * are issued.
   */
  public static final int FLAG_ORDERED = 4;

  /** Flag: the thread's payload belongs to this call. */
  public static final int FLAG_PAYLOAD = 8;

  /**
   * Flag: the call ends its lane's context. It is issued whatever is latched in the lane, and that
   * ends with the context.
   */
  public static final int FLAG_LAST = 16;

  /** Flag of a reply: its body goes on in the next reply to the same call. */
  public static final int FLAG_MORE = 32;

  private Frame() {}

  /** Rounds {@code bytes} up to a multiple of 8. */
  public static long align(long bytes) {
    return (bytes + 7) & ~7L;
  }
}
