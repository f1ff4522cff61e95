// SPDX-License-Identifier: Apache-2.0
package io.outboard.offload.service;

import io.outboard.offload.value.ValueReader;
import io.outboard.offload.value.ValueWriter;

/** Calls an implementation by the numbers of its methods; generated. Used by many threads. */
public interface Dispatcher {
  /** The method has returned, and its result was written. */
  int RETURNED = -1;

  /** The most bytes of the text of an exception that travel. */
  int TEXT = 4096;

  /**
   * Calls a method.
   *
   * @param method its number
   * @param in its arguments, all of them
   * @param out gets its result, or the text of the exception
   * @return {@link #RETURNED}, or the number of a declared exception
   * @throws io.outboard.offload.value.MalformedValueException if there is no such method, or the
   *     arguments are none of it; the method was not called then
   * @throws Exception that the method has thrown, and does not declare
   */
  int call(int method, ValueReader in, ValueWriter out) throws Exception;

  /** The text of an exception that travels. */
  static String text(Throwable thrown) {
    return bounded(String.valueOf(thrown.getMessage()));
  }

  /** As much of a text as travels. */
  static String bounded(String text) {
    return text.length() <= TEXT / 3 ? text : text.substring(0, TEXT / 3);
  }
}
