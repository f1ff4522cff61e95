// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.code;

import io.outboard.offload.OffloadException;
import io.outboard.offload.call.Answered;
import io.outboard.offload.call.Caller;
import io.outboard.offload.call.Choice;
import io.outboard.offload.call.OffloadMethod;
import io.outboard.offload.call.Offloader;
import io.outboard.offload.value.ValueWriter;
import java.util.concurrent.CompletableFuture;

/** A backend whose calls all fail in one way. */
record Away(OffloadException.Kind how) implements Offloader, Caller {
  private static final int MOST = 1 << 20;

  @Override
  public Caller caller(String name, String digest) {
    return this;
  }

  @Override
  public Choice choice() {
    return (_, _) -> true;
  }

  @Override
  public ValueWriter arguments() {
    return new ValueWriter(0, MOST);
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
