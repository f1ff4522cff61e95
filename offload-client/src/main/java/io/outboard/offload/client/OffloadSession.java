// SPDX-License-Identifier: Apache-2.0
package io.outboard.offload.client;

import io.outboard.offload.OffloadException;
import io.outboard.offload.call.Choice;
import io.outboard.offload.call.OffloadMethod;
import io.outboard.offload.frame.OffloadFrame;
import io.outboard.offload.value.MalformedValueException;
import io.outboard.offload.value.ValueReader;
import io.outboard.offload.value.ValueWriter;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A connection to a service that runs. A thread reads what comes; another one asks, while calls
 * wait, whether the backend is there, and ends the session when it has been silent.
 */
final class OffloadSession {
  private static final int SILENT_HEARTBEATS = 2;

  /** For so long behind the last call the backend is asked how many run there. */
  private static final int CURIOUS_HEARTBEATS = 12;

  private static final int BUFFER = 64 << 10;

  /** Longer ones are allocated as they come. */
  private static final int BELIEVED = 8 << 20;

  private final Duration heartbeat;
  private final Choice choice;

  /** On which the calls of all clients run there; 0 while that is not known. */
  private volatile int processors;

  private final Socket socket;
  private final DataInputStream in;
  private final OutputStream out;
  private final Semaphore room;
  private final Map<Long, Waiting<?>> waiting = new ConcurrentHashMap<>();
  private final AtomicLong numbers = new AtomicLong();
  private final Object writing = new Object();
  private volatile long heard = System.nanoTime();
  private volatile long called = heard;
  private volatile boolean ended;
  private String cause = "";

  OffloadSession(Socket socket, int calls, Duration heartbeat, Choice choice) throws IOException {
    this.heartbeat = heartbeat;
    this.choice = choice;
    this.socket = socket;
    this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), BUFFER));
    this.out = socket.getOutputStream();
    this.room = new Semaphore(calls);
    start("offload-read", this::read);
    start("offload-heartbeat", this::beat);
  }

  private static void start(String name, Runnable what) {
    Thread thread = new Thread(what, name);
    thread.setDaemon(true);
    thread.start();
  }

  /** Whether it takes no calls any more. */
  boolean isEnded() {
    return ended;
  }

  /** A call that has been sent. */
  record Sent<R>(long number, Waiting<R> waiting) {}

  /**
   * Sends a call; waits while there are too many.
   *
   * @throws OffloadException if it cannot be sent
   */
  <R> Sent<R> send(OffloadMethod<R> method, ValueWriter arguments) {
    try {
      room.acquire();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new OffloadException(OffloadException.Kind.CANCELLED, "interrupted", e);
    }
    called = System.nanoTime();
    Waiting<R> one = new Waiting<>(method);
    long number = numbers.incrementAndGet();
    waiting.put(number, one);
    if (ended) {
      // Nobody may look at it any more; nothing of it was sent.
      forget(number);
      throw new OffloadException(OffloadException.Kind.NOT_BEGUN, "the connection has ended");
    }
    new OffloadFrame(arguments.length(), OffloadFrame.CALL, method.number(), number)
        .write(arguments.head());
    write(arguments);
    return new Sent<>(number, one);
  }

  /** Whether it was waiting. */
  private boolean forget(long number) {
    boolean was = waiting.remove(number) != null;
    if (was) {
      room.release();
    }
    return was;
  }

  /** The result of a call is of no more use. */
  void cancel(long number) {
    if (waiting.containsKey(number)) {
      control(OffloadFrame.CANCEL, number);
    }
  }

  private void control(int kind, long number) {
    ValueWriter frame = new ValueWriter(OffloadFrame.HEAD, 0);
    new OffloadFrame(0, kind, 0, number).write(frame.head());
    write(frame);
  }

  /** A write that fails ends the session, which the calls that wait are told. */
  private void write(ValueWriter frame) {
    try {
      synchronized (writing) {
        frame.to(out::write);
        out.flush();
      }
    } catch (IOException e) {
      end(e.toString());
    }
  }

  private void read() {
    String why = "the backend, or the worker of the code, has ended the connection";
    try {
      byte[] head = new byte[OffloadFrame.HEAD];
      while (!ended) {
        in.readFully(head);
        OffloadFrame frame = OffloadFrame.read(head);
        byte[] body = body(frame.length());
        heard = System.nanoTime();
        hear(frame, new ValueReader(body, 0, body.length));
      }
    } catch (MalformedValueException e) {
      why = "what came is no answer: " + e.getMessage();
    } catch (IOException e) {
      why = e instanceof EOFException ? why : e.toString();
    } finally {
      end(why);
    }
  }

  private byte[] body(int length) throws IOException {
    if (length > BELIEVED) {
      byte[] body = in.readNBytes(length);
      if (body.length < length) {
        throw new EOFException();
      }
      return body;
    }
    byte[] body = new byte[length];
    in.readFully(body);
    return body;
  }

  /** The answer to a call that was cancelled is not waited for any more. */
  private void hear(OffloadFrame frame, ValueReader in) {
    if (frame.kind() == OffloadFrame.PONG) {
      processors = (int) Math.min(frame.call(), Integer.MAX_VALUE);
      tellLoad(frame);
      return;
    }
    Waiting<?> one = waiting.get(frame.call());
    if (one == null) {
      throw new MalformedValueException("an answer to no call");
    }
    if (frame.kind() == OffloadFrame.RESULT) {
      tellLoad(frame);
    }
    one.answer(frame, in);
    forget(frame.call());
  }

  private void tellLoad(OffloadFrame frame) {
    if (processors > 0) {
      choice.load(frame.method(), processors);
    }
  }

  private void beat() {
    try {
      control(OffloadFrame.PING, 0);
      while (!ended) {
        Thread.sleep(heartbeat.toMillis());
        if (waiting.isEmpty()) {
          heard = System.nanoTime();
          beCurious();
        } else if (System.nanoTime() - heard > SILENT_HEARTBEATS * heartbeat.toNanos()) {
          end("the backend has been silent for " + SILENT_HEARTBEATS + " heartbeats");
        } else {
          control(OffloadFrame.PING, 0);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Somebody may want to know whether the next call is to run there. */
  private void beCurious() {
    if (System.nanoTime() - called < CURIOUS_HEARTBEATS * heartbeat.toNanos()) {
      control(OffloadFrame.PING, 0);
    }
  }

  /** The cause that was seen first: the others follow from it. */
  private synchronized String because(String why) {
    cause = cause.isEmpty() ? why : cause;
    return cause;
  }

  /** Ends it: nobody knows whether the calls that wait have begun. */
  void end(String why) {
    String first = because(why);
    ended = true;
    try {
      socket.close();
    } catch (IOException e) {
      // It is of no more use either way.
    }
    waiting.forEach(
        (number, one) -> {
          if (forget(number)) {
            one.fail(OffloadException.Kind.LOST, first);
          }
        });
  }
}
