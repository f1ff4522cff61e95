// SPDX-License-Identifier: Apache-2.0
package io.outboard.offload.value;

/** Bytes that are no value of the expected type, or a value that is beyond a bound. */
public final class MalformedValueException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Makes one; the message says what is wrong. */
  public MalformedValueException(String message) {
    super(message);
  }

  /** What reading has thrown: a record may refuse its components by itself. */
  public static MalformedValueException of(RuntimeException thrown) {
    return thrown instanceof MalformedValueException malformed
        ? malformed
        : new MalformedValueException("a value is refused: " + thrown);
  }
}
