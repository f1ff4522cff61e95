// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.worker;

import io.outboard.backend.library.CheckpointBlockers;
import io.outboard.backend.library.HeldDevices;
import io.outboard.backend.session.WorkerSession;
import io.outboard.backend.slices.SessionSlices;
import io.outboard.backend.system.Log;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.Processes;
import io.outboard.communicator.stream.ControlStream;
import io.outboard.wire.Control;
import io.outboard.wire.ProtocolException;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * Does what the daemon orders a worker to do with its session. A thread of its own, which makes no
 * call of a driver while that is suspended.
 */
public final class SessionOrders {
  /** A row of this side's own accord: a call waits at the gate. */
  static final String WANTED = "wanted";

  /** An answer of {@link Order#PROBE}: nothing works; the number of calls follows. */
  public static final String IDLE = "idle";

  /** An answer of {@link Order#PROBE} and {@link Order#FUNCTIONS}. */
  public static final String BUSY = "busy";

  /** An answer of {@link Order#HOLD}: a vendor's driver has it; bytes follow. */
  public static final String DRIVER = "driver";

  /** An answer of {@link Order#HOLD}: the worker itself puts it aside; bytes follow. */
  public static final String OWN = "own";

  /** Functions that an answer of {@link Order#FUNCTIONS} names. */
  public static final int MOST_FUNCTIONS = 5;

  private static final long LOOK_MS = 2;

  private final int descriptor;
  private final ControlStream stream;
  private final WorkerSession session;
  private final Aside aside;

  /** The daemon's orders. */
  public enum Order {
    /** Asks whether the session works, and for the number of its calls. */
    PROBE,
    /** Holds all calls back, once nothing works any more; milliseconds to wait follow. */
    HOLD,
    /** Lets others of this user see the process, as a driver's checkpoint may need. */
    SHOW,
    /** Puts aside what the session has on devices. */
    PUT_ASIDE,
    /** Brings it back. */
    BRING_BACK,
    /** Lets calls through again. */
    GO_ON,
    /** Tells the client a line, which follows after a number. */
    TELL,
    /** Asks what is put aside, by order of another daemon, and to be told of calls that wait. */
    ASIDE,
    /** Asks whether a call is under way, and which functions were called most. */
    FUNCTIONS;

    /** It as a request. */
    public String with(long number) {
      return name() + " " + number;
    }
  }

  SessionOrders(int descriptor, WorkerSession session, Aside aside) {
    this.aside = aside;
    this.descriptor = descriptor;
    this.stream = new ControlStream(descriptor);
    this.session = session;
  }

  void start() {
    Thread.ofPlatform().name("orders").daemon(true).start(this::obey);
  }

  private void obey() {
    try {
      while (Posix.poll(descriptor, Posix.POLLIN, -1) > 0) {
        Control answer = answer(stream.receive().text());
        send(answer.kind(), answer.text());
      }
    } catch (IOException | ProtocolException e) {
      Log.debug("no more orders: " + e.getMessage());
    } finally {
      Posix.close(descriptor);
    }
  }

  private synchronized void send(Control.Kind kind, String text) throws IOException {
    stream.send(kind, text);
  }

  private Control answer(String request) {
    try {
      String[] words = request.split(" ", 3);
      Order order = Order.valueOf(words[0]);
      String text = order == Order.TELL ? tell(words[2]) : obey(order, Long.parseLong(words[1]));
      return new Control(Control.Kind.DONE, text);
    } catch (IOException e) {
      return new Control(Control.Kind.FAILED, e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Control(Control.Kind.FAILED, "interrupted");
    } catch (RuntimeException | Error e) {
      Log.failure("an order was not obeyed", e);
      return new Control(Control.Kind.FAILED, "the backend failed: " + e);
    }
  }

  private String obey(Order order, long number) throws IOException, InterruptedException {
    switch (order) {
      case PROBE -> {
        boolean busy = session.gate().isUsed() || session.held().isWorking();
        return (busy ? BUSY : IDLE) + " " + session.gate().entries();
      }
      case HOLD -> {
        return hold(number);
      }
      case SHOW -> Processes.show();
      case PUT_ASIDE -> session.held().putAside();
      case BRING_BACK -> session.held().bringBack();
      case GO_ON -> goOn();
      case ASIDE -> {
        if (!aside.toString().equals(Aside.NOTHING)) {
          session.gate().onWanted(this::wanted);
        }
        return aside.toString();
      }
      case FUNCTIONS -> {
        String called = session.mostCalled(MOST_FUNCTIONS);
        return (session.gate().isUsed() ? BUSY : IDLE) + " " + called;
      }
      case TELL -> throw new IllegalArgumentException("a line is missing");
    }
    return "";
  }

  /** A client that is away hears it when it is back; orders do not wait for that. */
  private String tell(String line) {
    Thread.ofPlatform().name("tell").daemon(true).start(() -> session.context().message(line));
    return "";
  }

  private String hold(long milliseconds) throws IOException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(milliseconds);
    refuseObstacles();
    if (!session.gate().close(milliseconds, this::wanted)) {
      throw new IOException("a call of the program is still under way");
    }
    WorkerEnd.suspended(true);
    try {
      refuseObstacles();
      HeldDevices held = session.held();
      awaitWork(held, end);
      String what = (held.isDrivers() ? DRIVER : OWN) + " " + held.bytes();
      aside.is(what);
      return what;
    } catch (IOException | InterruptedException | RuntimeException e) {
      goOn();
      throw e;
    }
  }

  private void refuseObstacles() throws IOException {
    String obstacle = CheckpointBlockers.of(session.context()).first().orElse(null);
    if (obstacle != null) {
      throw new IOException(obstacle);
    }
  }

  private void awaitWork(HeldDevices held, long end) throws IOException, InterruptedException {
    while (held.isWorking() || !SessionSlices.of(session.context()).rest()) {
      if (System.nanoTime() > end) {
        throw new IOException("work is still under way on its devices");
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MS);
    }
  }

  private void goOn() {
    aside.is(Aside.NOTHING);
    Processes.hide();
    WorkerEnd.suspended(false);
    session.gate().open();
  }

  /** By the first call that waits at the gate. */
  private void wanted() {
    try {
      send(Control.Kind.ROW, WANTED);
    } catch (IOException e) {
      Log.debug("the daemon has gone: " + e.getMessage());
    }
  }
}
