// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.supervision;

import io.outboard.backend.launch.WorkerProcess;
import io.outboard.backend.suspend.SuspensionException;
import io.outboard.backend.system.Log;
import io.outboard.backend.worker.HandOver;
import io.outboard.backend.worker.SessionOrders.Order;
import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.Sockets;
import io.outboard.communicator.stream.ControlStream;
import io.outboard.wire.Control;
import io.outboard.wire.Printable;
import io.outboard.wire.ProtocolException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The daemon's orders to a worker's session, one at a time, over a connection of their own (see
 * {@code SessionOrders}). The worker counts as hostile: its words are text for people, or numbers
 * that concern itself.
 */
final class SessionControl {
  /** A worker that takes longer to answer what costs it nothing has gone. */
  private static final Duration PROMPT = Duration.ofSeconds(10);

  private final int descriptor;
  private final ControlStream stream;
  private final ReentrantLock asking = new ReentrantLock();
  private boolean closed;
  private volatile CompletableFuture<Control> answer = new CompletableFuture<>();
  private volatile Runnable wanted = () -> {};

  private SessionControl(int descriptor) {
    this.descriptor = descriptor;
    this.stream = new ControlStream(descriptor);
  }

  /** Opens one to a worker that serves; it ends with the worker. */
  static SessionControl open(WorkerProcess worker) throws IOException {
    int[] pair = new int[2];
    Errno.check(Sockets.socketpair(pair), "socketpair");
    SessionControl control = new SessionControl(pair[0]);
    try {
      worker.give(HandOver.Further.of(HandOver.Purpose.ORDERS, pair[1]));
    } catch (IOException e) {
      Posix.close(pair[0]);
      throw e;
    } finally {
      Posix.close(pair[1]);
    }
    Thread.ofPlatform().name("orders").daemon(true).start(control::read);
    return control;
  }

  private void read() {
    try {
      while (Posix.poll(descriptor, Posix.POLLIN, -1) > 0) {
        Control message = stream.receive();
        if (message.kind() == Control.Kind.ROW) {
          wanted.run();
        } else {
          answer.complete(message);
        }
      }
    } catch (IOException | ProtocolException e) {
      Log.debug("a session takes no more orders: " + e.getMessage());
    } finally {
      close();
    }
  }

  private synchronized void close() {
    closed = true;
    Posix.close(descriptor);
    answer.completeExceptionally(new IOException("the session has ended"));
  }

  /** Has somebody told that a call of the session waits while its calls are held back. */
  void onWanted(Runnable listener) {
    wanted = listener;
  }

  /** Orders something that is done at once: as {@link #order(Order, Duration, Duration)}. */
  String order(Order order) throws SuspensionException {
    return order(order, Duration.ZERO, PROMPT);
  }

  /** Orders something for which the worker may take its time. */
  String order(Order order, Duration patience) throws SuspensionException {
    return order(order, patience, patience.plus(PROMPT));
  }

  /**
   * Orders something, and waits.
   *
   * @param patience what the worker is told
   * @param limit how long to wait for it
   * @return what the worker says
   * @throws SuspensionException if it could not do so, has gone or takes too long
   */
  String order(Order order, Duration patience, Duration limit) throws SuspensionException {
    return said(order.with(patience.toMillis()), limit);
  }

  /** Has the client told a line. */
  String tell(String line) throws SuspensionException {
    return said(Order.TELL.with(0) + " " + line, PROMPT);
  }

  private String said(String request, Duration limit) throws SuspensionException {
    Control said = ask(request, limit);
    if (said.kind() != Control.Kind.DONE) {
      throw new SuspensionException(Printable.of(said.text()));
    }
    return said.text();
  }

  private Control ask(String request, Duration limit) throws SuspensionException {
    asking.lock();
    try {
      return send(request).get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (IOException | ExecutionException e) {
      throw SuspensionException.over(e);
    } catch (TimeoutException e) {
      hangUp();
      throw new SuspensionException("its worker takes too long", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SuspensionException("interrupted", e);
    } finally {
      asking.unlock();
    }
  }

  private synchronized Future<Control> send(String request) throws IOException {
    if (closed) {
      throw new IOException("closed");
    }
    answer = new CompletableFuture<>();
    stream.send(Control.Kind.REQUEST, request);
    return answer;
  }

  /** Ends the connection: a late answer would be taken for the answer to another request. */
  private synchronized void hangUp() {
    if (!closed) {
      Sockets.shutdown(descriptor, Sockets.SHUT_RDWR);
    }
  }
}
