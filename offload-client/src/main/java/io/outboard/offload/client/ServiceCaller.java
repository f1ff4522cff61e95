// SPDX-License-Identifier: Apache-2.0
package io.outboard.offload.client;

import io.outboard.offload.OffloadException;
import io.outboard.offload.call.Answered;
import io.outboard.offload.call.Caller;
import io.outboard.offload.call.OffloadMethod;
import io.outboard.offload.frame.OffloadFrame;
import io.outboard.offload.value.ValueWriter;
import java.io.IOException;
import java.net.Socket;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Calls a service, over a connection that is made when it is wanted, and again once it is lost. */
final class ServiceCaller implements Caller {
  private final Offloading to;
  private final String service;
  private final String digest;
  private OffloadSession session;
  private boolean closed;

  ServiceCaller(Offloading to, String service, String digest) {
    this.to = to;
    this.service = service;
    this.digest = digest;
  }

  private synchronized OffloadSession session() {
    if (closed) {
      throw new OffloadException(OffloadException.Kind.NOT_BEGUN, "this side is closed");
    }
    if (session == null || session.isEnded()) {
      session = open();
    }
    return session;
  }

  private OffloadSession open() {
    try {
      Socket socket = to.connect();
      try {
        return new OffloadSession(
            socket, to.greet(socket, service, digest), to.heartbeat(), to.choice());
      } catch (IOException e) {
        socket.close();
        throw e;
      }
    } catch (IOException e) {
      throw new OffloadException(
          OffloadException.Kind.NOT_BEGUN, service + " is not opened: " + e.getMessage(), e);
    }
  }

  @Override
  public ValueWriter arguments() {
    return new ValueWriter(OffloadFrame.HEAD, OffloadFrame.MOST);
  }

  @Override
  public <R> Answered<R> call(OffloadMethod<R> method, ValueWriter arguments) {
    OffloadSession over = session();
    OffloadSession.Sent<R> sent = over.send(method, arguments);
    try {
      return sent.waiting().get();
    } catch (InterruptedException e) {
      over.cancel(sent.number());
      Thread.currentThread().interrupt();
      throw new OffloadException(
          OffloadException.Kind.CANCELLED, method.name() + ": interrupted", e);
    } catch (ExecutionException e) {
      throw again(e.getCause());
    }
  }

  /** The same with the stack of the thread that has called. */
  private static OffloadException again(Throwable cause) {
    return cause instanceof OffloadException failure
        ? new OffloadException(failure.kind(), failure.getMessage(), failure)
        : new OffloadException(OffloadException.Kind.LOST, String.valueOf(cause), cause);
  }

  @Override
  public <R> CompletableFuture<R> begin(OffloadMethod<R> method, ValueWriter arguments) {
    OffloadSession over = session();
    OffloadSession.Sent<R> sent = over.send(method, arguments);
    CompletableFuture<R> result = new CompletableFuture<>();
    var unusedAnswer =
        sent.waiting().whenComplete((answer, failure) -> complete(result, answer, failure));
    var unusedCancel =
        result.whenComplete(
            (value, failure) -> {
              if (failure instanceof CancellationException) {
                over.cancel(sent.number());
              }
            });
    return result;
  }

  private static <R> void complete(
      CompletableFuture<R> result, Answered<R> answer, Throwable failure) {
    if (failure != null) {
      result.completeExceptionally(failure);
    } else if (answer.exception() != null) {
      result.completeExceptionally(answer.exception());
    } else {
      result.complete(answer.value());
    }
  }

  synchronized void close() {
    closed = true;
    if (session != null) {
      session.end("this side is closed");
    }
  }
}
