// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.broker;

import io.outboard.backend.library.Allotment;
import io.outboard.backend.supervision.Absence;
import io.outboard.backend.supervision.Admitted;
import io.outboard.backend.supervision.HostAccess;
import io.outboard.backend.supervision.ServedSession;
import io.outboard.backend.supervision.SessionActivity;
import io.outboard.backend.supervision.SessionFigures;
import io.outboard.backend.supervision.SessionTimes;
import io.outboard.backend.suspend.DeviceMove;
import io.outboard.backend.suspend.SuspensionException;
import io.outboard.lease.Form;
import io.outboard.lease.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/** A session that uses a lease. */
final class LeaseSession implements Admitted {
  private final Broker broker;
  private final String lease;
  private final Lease used;
  private final Instant begin = Instant.now();
  private final OptionalInt graceSeconds;
  private final Allotment allotment;
  private final List<HostAccess> others;
  // All of these are guarded by this object's monitor.
  private ServedSession served;
  private String stopped;
  private SessionFigures counted = SessionFigures.NOTHING;
  private volatile boolean suspended;
  private final AtomicBoolean told = new AtomicBoolean();
  private final AtomicBoolean lacking = new AtomicBoolean();
  private final AtomicBoolean warned = new AtomicBoolean();
  private volatile SessionActivity activity = SessionActivity.UNKNOWN;
  private final SessionLook look = new SessionLook();

  LeaseSession(Broker broker, Lease lease, Allotment allotment, List<HostAccess> others) {
    this.broker = broker;
    this.lease = lease.id();
    this.used = lease;
    this.graceSeconds =
        broker.grace(lease).stream().mapToInt(grace -> (int) grace.toSeconds()).findFirst();
    this.allotment = allotment;
    this.others = List.copyOf(others);
  }

  @Override
  public Allotment allotment() {
    return allotment;
  }

  @Override
  public List<HostAccess> others() {
    return others;
  }

  @Override
  public String lease() {
    return lease;
  }

  @Override
  public OptionalInt graceSeconds() {
    return graceSeconds;
  }

  @Override
  public synchronized void started(ServedSession session) {
    served = session;
    counted = session.counted();
    if (stopped != null) {
      session.stop(stopped);
    }
    if (suspended) {
      listen(session);
    }
  }

  /** It is there already, and perhaps suspended. */
  void inherited(boolean aside) {
    suspended = aside;
  }

  /** On a thread of its own, as a call of it may wait already. */
  private void listen(ServedSession session) {
    Thread.ofVirtual()
        .name("inherited")
        .start(
            () -> {
              try {
                session.onWanted(() -> broker.suspensions().wanted(lease, this));
              } catch (SuspensionException e) {
                session.stop("it is suspended, and does not say so: " + e.getMessage());
              }
            });
  }

  @Override
  public void ended(SessionFigures figures) {
    String client = served().map(ServedSession::client).orElse("");
    broker.ended(new EndedSession(used, client, begin, Instant.now(), figures, look.functions()));
    broker.admissions().ended(lease, this, figures);
    broker.settle();
  }

  /** Ends it, also if it has not started yet. */
  synchronized void stop(String why) {
    stopped = why;
    if (served != null) {
      served.stop(why);
    }
  }

  private synchronized Optional<ServedSession> served() {
    return Optional.ofNullable(served);
  }

  /** As {@link ServedSession#suspend}; one that has not started yet cannot be. */
  long suspend(Duration patience, Runnable wanted) throws SuspensionException {
    ServedSession session =
        served().orElseThrow(() -> new SuspensionException("a program of it has just begun"));
    suspended = true;
    try {
      return session.suspend(patience, wanted);
    } catch (SuspensionException e) {
      suspended = false;
      throw e;
    }
  }

  /**
   * Has the program told why its calls wait, once as long as it is suspended. On a thread of its
   * own, as who asks for that may not wait.
   */
  void tell(String line) {
    tellOnce(told, line);
  }

  /** Has the program told that its calls wait for devices, in the same way. */
  void tellOfLack(String line) {
    tellOnce(lacking, line);
  }

  /** Has the program told that its lease ends soon, once unless that is put off. */
  void warn(String line) {
    tellOnce(warned, line);
  }

  /** The lease does not end soon any more. */
  void endsLater() {
    warned.set(false);
  }

  private void tellOnce(AtomicBoolean said, String line) {
    Optional<ServedSession> session = served();
    if (session.isPresent() && said.compareAndSet(false, true)) {
      Thread.ofVirtual().name("tell").start(() -> session.get().tell(line));
    }
  }

  /**
   * As {@link ServedSession#activity}. One that is suspended is not asked: it is at what it was
   * last; nor is one that does not answer, which counts as working.
   */
  SessionActivity activity() {
    if (!suspended) {
      try {
        activity = served().isPresent() ? served().get().activity() : SessionActivity.UNKNOWN;
      } catch (SuspensionException e) {
        activity = SessionActivity.UNKNOWN;
      }
    }
    return activity;
  }

  /** As {@link ServedSession#canMove}. */
  boolean canMove() throws SuspensionException {
    Optional<ServedSession> session = served();
    return session.isPresent() && session.get().canMove();
  }

  /** As {@link ServedSession#resume}. */
  void resume(List<DeviceMove> moves) throws SuspensionException {
    Optional<ServedSession> session = served();
    if (session.isPresent()) {
      session.get().resume(moves);
    }
    suspended = false;
    told.set(false);
    lacking.set(false);
  }

  synchronized SessionFigures figures() {
    return served == null ? SessionFigures.NOTHING : served.figures();
  }

  private synchronized Optional<Absence> absence() {
    return served == null ? Optional.empty() : served.absence();
  }

  /** Whether its client has lost its connection. */
  boolean isAway() {
    return absence().isPresent();
  }

  /**
   * Asks its worker which functions its program calls, if that was not asked just before; outside
   * of the broker's monitor, as the worker may take its time.
   */
  void look() {
    Optional<ServedSession> session = served();
    if (session.isPresent() && !suspended) {
      look.at(session.get());
    }
  }

  /** As a row of a control connection. */
  synchronized Form row() {
    SessionFigures figures = figures();
    SessionTimes times = served == null ? SessionTimes.NONE : served.times();
    return new Form()
        .with("client", served == null ? "" : served.client())
        .with("timedCalls", times.calls())
        .with("timedNanos", times.nanos())
        .with("calls", figures.calls())
        .with("bytesIn", figures.bytesIn())
        .with("bytesOut", figures.bytesOut())
        .with("functions", look.functions())
        .with("idleSeconds", look.idle(figures.calls()).toSeconds())
        .with("awaySince", moment(Absence::since))
        .with("awayUntil", moment(Absence::until));
  }

  /** Of its client's absence; 0 where it is there. */
  private long moment(Function<Absence, Instant> which) {
    return absence().map(which).map(Instant::toEpochMilli).orElse(0L);
  }

  /** Returns its work since the last time. */
  synchronized SessionFigures since(SessionFigures now) {
    SessionFigures since = now.since(counted);
    counted = now;
    if (served != null) {
      served.counted(now);
    }
    return since;
  }
}
