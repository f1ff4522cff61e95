// SPDX-License-Identifier: Apache-2.0
package io.outboard.offload.client;

import io.outboard.offload.OffloadException;
import io.outboard.offload.call.Answered;
import io.outboard.offload.call.OffloadMethod;
import io.outboard.offload.frame.OffloadFrame;
import io.outboard.offload.service.Dispatcher;
import io.outboard.offload.value.MalformedValueException;
import io.outboard.offload.value.ValueReader;
import java.util.concurrent.CompletableFuture;

/** A call that waits for its answer. */
final class Waiting<R> extends CompletableFuture<Answered<R>> {
  private final OffloadMethod<R> method;

  Waiting(OffloadMethod<R> method) {
    this.method = method;
  }

  /**
   * Its answer has come.
   *
   * @throws MalformedValueException if it is none
   */
  void answer(OffloadFrame head, ValueReader in) {
    switch (head.kind()) {
      case OffloadFrame.RESULT -> complete(new Answered<>(result(in), null));
      case OffloadFrame.THROWN ->
          complete(new Answered<>(null, method.thrown().make(head.method(), text(in))));
      case OffloadFrame.FAILED -> fail(reason(head.method()), text(in));
      default -> throw new MalformedValueException("a frame of kind " + head.kind());
    }
  }

  private R result(ValueReader in) {
    try {
      R value = method.result().read(in);
      in.end();
      return value;
    } catch (RuntimeException e) {
      throw MalformedValueException.of(e);
    }
  }

  private static String text(ValueReader in) {
    String text = in.ofString(Dispatcher.TEXT);
    in.end();
    return text;
  }

  private static OffloadException.Kind reason(int number) {
    return switch (number) {
      case OffloadFrame.NOT_BEGUN -> OffloadException.Kind.NOT_BEGUN;
      case OffloadFrame.UNDECLARED -> OffloadException.Kind.FAILED;
      case OffloadFrame.CANCELLED -> OffloadException.Kind.CANCELLED;
      default -> throw new MalformedValueException("a reason " + number);
    };
  }

  /** It has no answer. */
  void fail(OffloadException.Kind kind, String why) {
    completeExceptionally(new OffloadException(kind, method.name() + ": " + why));
  }
}
