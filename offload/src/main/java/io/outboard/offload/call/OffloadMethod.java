// SPDX-License-Identifier: Apache-2.0
package io.outboard.offload.call;

import io.outboard.offload.value.ValueReader;

/**
 * A method of an offloaded interface; generated.
 *
 * @param number by which it is called
 * @param name for people
 * @param repeatable whether it may run more than once for a call
 * @param result reads its result
 * @param thrown makes its declared exceptions
 */
public record OffloadMethod<R>(
    int number, String name, boolean repeatable, Result<R> result, Thrown thrown) {
  /** Reads a result. */
  @FunctionalInterface
  public interface Result<R> {
    /** Reads it; the reader has nothing else. */
    R read(ValueReader in);
  }

  /** Makes exceptions. */
  @FunctionalInterface
  public interface Thrown {
    /**
     * Makes the one of a number.
     *
     * @throws io.outboard.offload.value.MalformedValueException if there is none
     */
    Exception make(int number, String text);
  }
}
