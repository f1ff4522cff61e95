// SPDX-License-Identifier: Apache-2.0
package io.outboard.offload.call;

import io.outboard.offload.value.ValueWriter;
import java.util.concurrent.CompletableFuture;

/** Carries calls. Used by many threads. */
public interface Caller {
  /** A writer for the arguments of one call. */
  ValueWriter arguments();

  /**
   * Calls a method and waits. An interrupt cancels the call, and the thread stays interrupted.
   *
   * @throws io.outboard.offload.OffloadException if there is neither a result nor a declared
   *     exception
   */
  <R> Answered<R> call(OffloadMethod<R> method, ValueWriter arguments);

  /**
   * Calls a method and does not wait. The future ends with the result, with the declared exception,
   * or with an {@code OffloadException}. To cancel it cancels the call.
   */
  <R> CompletableFuture<R> begin(OffloadMethod<R> method, ValueWriter arguments);
}
