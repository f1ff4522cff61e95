// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.broker;

import io.outboard.backend.supervision.Admitted;
import io.outboard.backend.supervision.ServedSession;
import io.outboard.backend.supervision.SessionActivity;
import io.outboard.backend.supervision.SessionCalls;
import io.outboard.backend.supervision.SessionFigures;
import io.outboard.backend.suspend.DeviceMove;
import io.outboard.backend.suspend.SuspensionException;
import io.outboard.lease.LeaseException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;

/** A session whose worker ends as soon as it is told to. */
public final class TestSession implements ServedSession {
  /** An action before the worker ends. */
  @FunctionalInterface
  interface Look {
    void look() throws LeaseException;
  }

  private final Admitted admitted;
  private SessionFigures figures = SessionFigures.NOTHING;
  private Look look = () -> {};
  private boolean stopped;
  private boolean ended;
  private String refusal;
  private int refusals;
  private boolean callsWhenSuspended;
  private volatile boolean over;
  private Runnable wanted = () -> {};
  private boolean portable;
  private volatile List<DeviceMove> moves = List.of();
  private volatile boolean suspended;
  private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
  private volatile CountDownLatch answers = new CountDownLatch(0);
  private volatile CountDownLatch suspends = new CountDownLatch(0);
  private volatile SessionCalls calls = SessionCalls.UNKNOWN;
  private volatile SessionActivity activity = new SessionActivity(false, 0);

  private TestSession(Admitted admitted) {
    this.admitted = admitted;
  }

  public static TestSession start(Admitted admitted) {
    TestSession session = new TestSession(admitted);
    admitted.started(session);
    return session;
  }

  public Admitted admitted() {
    return admitted;
  }

  void onStop(Look what) {
    look = what;
  }

  void does(SessionFigures now) {
    figures = now;
  }

  public void end(SessionFigures now) {
    if (!ended) {
      ended = true;
      admitted.ended(now);
    }
  }

  /** It cannot be suspended. */
  public void refuses(String why) {
    refusal = why;
  }

  /** Its worker has ended, and nobody has noticed. */
  void isOver() {
    over = true;
  }

  public int refusals() {
    return refusals;
  }

  /** Its suspension takes until then. */
  void suspendsAfter(CountDownLatch moment) {
    suspends = moment;
  }

  private void awaitMoment() {
    try {
      suspends.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A call comes while it is being suspended. */
  void callsWhenSuspended() {
    callsWhenSuspended = true;
  }

  public void isAt(boolean working, long calls) {
    activity = new SessionActivity(working, calls);
  }

  /** Its worker does not answer until then. */
  public void answersAfter(CountDownLatch moment) {
    answers = moment;
  }

  @Override
  public SessionActivity activity() {
    try {
      answers.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return activity;
  }

  /** It has called these functions. */
  void called(String functions) {
    calls = new SessionCalls(true, functions);
  }

  @Override
  public SessionCalls calls() {
    return calls;
  }

  /** A call comes. */
  public void call() {
    wanted.run();
  }

  public boolean isSuspended() {
    return suspended;
  }

  public void awaitResumed() throws InterruptedException {
    while (suspended) {
      Thread.sleep(1);
    }
  }

  @Override
  public long suspend(Duration patience, Runnable whenWanted) throws SuspensionException {
    if (over) {
      throw SuspensionException.over(null);
    }
    if (refusal != null) {
      refusals++;
      throw new SuspensionException(refusal);
    }
    wanted = whenWanted;
    awaitMoment();
    suspended = true;
    if (callsWhenSuspended) {
      wanted.run();
    }
    return 1 << 20;
  }

  /** It can be resumed on other devices. */
  void canMoveFromNow() {
    portable = true;
  }

  /** The moves that it was resumed with. */
  List<DeviceMove> moves() {
    return moves;
  }

  @Override
  public boolean canMove() {
    return portable;
  }

  @Override
  public void resume(List<DeviceMove> now) throws SuspensionException {
    if (over) {
      throw SuspensionException.over(null);
    }
    moves = now;
    suspended = false;
  }

  @Override
  public void tell(String line) {
    told.add(line);
  }

  /** The next line that the program is told. */
  String nextLine() throws InterruptedException {
    return told.take();
  }

  /** Whether it was told no other line. */
  boolean isToldNothing() {
    return told.isEmpty();
  }

  public boolean isStopped() {
    return stopped;
  }

  @Override
  public SessionFigures figures() {
    return figures;
  }

  @Override
  public void stop(String why) {
    stopped = true;
    try {
      look.look();
    } catch (LeaseException e) {
      throw new AssertionError(e);
    }
    end(figures);
  }
}
