// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.code;

import io.outboard.offload.OffloadException;
import io.outboard.offload.call.Answered;
import io.outboard.offload.call.OffloadMethod;
import io.outboard.offload.value.ValueWriter;
import java.util.concurrent.CompletableFuture;

/** A backend whose calls all fail in one way. */
final class Away extends Connectionless {
  private final OffloadException.Kind how;

  Away(OffloadException.Kind how) {
    this.how = how;
  }

  @Override
  public <R> Answered<R> call(OffloadMethod<R> method, ValueWriter arguments) {
    throw new OffloadException(how, "away");
  }

  @Override
  public <R> CompletableFuture<R> begin(OffloadMethod<R> method, ValueWriter arguments) {
    return CompletableFuture.failedFuture(new OffloadException(how, "away"));
  }
}
