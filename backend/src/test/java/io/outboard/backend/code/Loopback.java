// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.code;

import io.outboard.offload.OffloadException;
import io.outboard.offload.call.Answered;
import io.outboard.offload.call.OffloadMethod;
import io.outboard.offload.service.Dispatcher;
import io.outboard.offload.value.ValueReader;
import io.outboard.offload.value.ValueWriter;
import java.util.concurrent.CompletableFuture;

/** Calls a dispatcher with the bytes of a call, in this thread. */
final class Loopback extends Connectionless {
  private final Dispatcher dispatcher;
  private byte[] arguments = {};
  private int method;

  Loopback(Dispatcher dispatcher) {
    this.dispatcher = dispatcher;
  }

  /** The arguments of the last call. */
  byte[] lastArguments() {
    return arguments;
  }

  /** Its method. */
  int lastMethod() {
    return method;
  }

  @Override
  public <R> Answered<R> call(OffloadMethod<R> called, ValueWriter values) {
    method = called.number();
    arguments = values.toArray();
    ValueWriter out = new ValueWriter(0, MOST);
    try {
      int result = dispatcher.call(method, new ValueReader(arguments, 0, arguments.length), out);
      ValueReader in = reader(out);
      if (result != Dispatcher.RETURNED) {
        return new Answered<>(null, called.thrown().make(result, in.ofString(Dispatcher.TEXT)));
      }
      R value = called.result().read(in);
      in.end();
      return new Answered<>(value, null);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new OffloadException(OffloadException.Kind.FAILED, String.valueOf(e), e);
    }
  }

  private static ValueReader reader(ValueWriter written) {
    byte[] all = written.toArray();
    return new ValueReader(all, 0, all.length);
  }

  @Override
  public <R> CompletableFuture<R> begin(OffloadMethod<R> called, ValueWriter values) {
    return CompletableFuture.completedFuture(call(called, values).value());
  }
}
