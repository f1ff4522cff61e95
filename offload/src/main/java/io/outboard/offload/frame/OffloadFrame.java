// SPDX-License-Identifier: Apache-2.0
package io.outboard.offload.frame;

import io.outboard.offload.value.MalformedValueException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The head of a frame.
 *
 * @param length of the body behind it, in bytes
 * @param kind one of the constants here
 * @param method the number of a method, of an exception, or a reason; of a result and of a {@link
 *     #PONG} how many calls of all clients run there
 * @param call the number of the call; of a {@link #PONG} how many processors those have
 */
public record OffloadFrame(int length, int kind, int method, long call) {
  /** Bytes of a head. */
  public static final int HEAD = 16;

  /** The most bytes of a body. */
  public static final int MOST = 256 << 20;

  /** From the client: a call; the body has the arguments. */
  public static final int CALL = 1;

  /** From the client: the call's result is of no more use. */
  public static final int CANCEL = 2;

  /** From the client: is the other side there? */
  public static final int PING = 3;

  /** From the worker: it is. */
  public static final int PONG = 4;

  /** From the worker: the method has returned; the body has the result. */
  public static final int RESULT = 5;

  /** From the worker: it has thrown a declared exception; the body has its text. */
  public static final int THROWN = 6;

  /** From the worker: it has failed; the number is a reason, and the body has a text. */
  public static final int FAILED = 7;

  /** Reason: it has not begun. */
  public static final int NOT_BEGUN = 1;

  /** Reason: the method has thrown something that it does not declare. */
  public static final int UNDECLARED = 2;

  /** Reason: it was cancelled. */
  public static final int CANCELLED = 3;

  private static final int NUMBERS = 1 << 16;

  /** Writes it to the beginning of an array. */
  public void write(byte[] to) {
    ByteBuffer.wrap(to)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(length)
        .putShort((short) kind)
        .putShort((short) method)
        .putLong(call);
  }

  /**
   * Reads it from the beginning of an array.
   *
   * @throws MalformedValueException if it is none
   */
  public static OffloadFrame read(byte[] from) {
    ByteBuffer in = ByteBuffer.wrap(from).order(ByteOrder.LITTLE_ENDIAN);
    int length = in.getInt();
    if (length < 0 || length > MOST) {
      throw new MalformedValueException(
          "a frame of " + Integer.toUnsignedString(length) + " bytes");
    }
    int kind = in.getShort() & (NUMBERS - 1);
    return new OffloadFrame(length, kind, in.getShort() & (NUMBERS - 1), in.getLong());
  }
}
