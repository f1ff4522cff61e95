// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.daemon;

import io.outboard.backend.launch.WorkerProcess;
import io.outboard.backend.suspend.DeviceMove;
import io.outboard.backend.suspend.SuspensionException;
import io.outboard.backend.system.Log;
import io.outboard.backend.system.SharedPage;
import io.outboard.backend.system.SpareTime;
import io.outboard.backend.worker.HandOver;
import io.outboard.backend.worker.Worker;
import io.outboard.communicator.greeting.Greeted;
import io.outboard.wire.Bytes;
import io.outboard.wire.Message;
import io.outboard.wire.Token;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A session as the daemon sees it: who the client is, and the page that its worker writes. */
final class SupervisedSession implements ServedSession, AutoCloseable {
  private final int number;
  private final Greeted greeted;
  private final boolean quiet;
  private final SharedPage page;
  private final Bytes identity = Bytes.random(Message.IDENTITY);
  private final Bytes secret = Bytes.random(Message.IDENTITY);
  private final int graceSeconds;
  private final Admitted admitted;
  private final Suspensions suspensions;
  // All of these are guarded by this object's monitor.
  private WorkerProcess serving;
  private SessionSuspension suspension;
  private String stopped = "";
  private boolean closed;
  private Optional<OpenSessions.Ended> farewell = Optional.empty();

  SupervisedSession(
      int number,
      Greeted greeted,
      Admitted admitted,
      Suspensions suspensions,
      int graceSeconds,
      boolean quiet)
      throws IOException {
    this.number = number;
    this.greeted = greeted;
    this.admitted = admitted;
    this.suspensions = suspensions;
    this.graceSeconds = greeted.hello().lasts() ? admitted.graceSeconds().orElse(graceSeconds) : 0;
    this.quiet = quiet;
    this.page = SharedPage.create();
  }

  /** What nobody but its client knows. */
  Bytes identity() {
    return identity;
  }

  /** The proof of a client that has lost its connection, where the session outlives that. */
  Optional<Token> returning() {
    Token proven = greeted.proven().orElseGet(Token::none);
    return graceSeconds > 0
        ? Optional.of(proven.derived("resume " + secret.hex()))
        : Optional.empty();
  }

  /**
   * Gives the client to a worker.
   *
   * @param left runs when the worker has ended
   */
  void start(WorkerProcess worker, int client, Runnable left) throws IOException {
    if (!quiet) {
      Log.info("session %d: %s, worker %d".formatted(number, client(), worker.pid()));
    }
    try {
      worker.handOver(handOver(client));
    } catch (IOException e) {
      worker.stop();
      throw e;
    }
    // Not sooner: a worker that is told so late would go on rehearsing at the cost of others.
    SpareTime.end(worker.pid());
    serves(worker);
    worker.onExit(
        status -> {
          ended(status);
          left.run();
        });
    admitted.started(this);
  }

  private HandOver handOver(int client) {
    return new HandOver(
        client,
        page.descriptor(),
        greeted.hello(),
        greeted.serverProof(),
        identity,
        secret,
        graceSeconds,
        admitted.allotment());
  }

  private void ended(int status) {
    report(status);
    SessionFigures figures = figures();
    remember(status);
    close();
    free();
    admitted.ended(figures);
  }

  /** Who ended it in good order does not come back. */
  private synchronized void remember(int status) {
    if (status != 0 || !stopped.isEmpty() || page.awaySince() != 0) {
      farewell = returning().map(key -> new OpenSessions.Ended(key, cause(status), graceSeconds));
    }
  }

  private synchronized void serves(WorkerProcess worker) {
    serving = worker;
    suspension = new SessionSuspension(worker, suspensions);
  }

  private synchronized SessionSuspension suspension() throws SuspensionException {
    if (closed || suspension == null) {
      throw SuspensionException.over(null);
    }
    return suspension;
  }

  @Override
  public SessionActivity activity() throws SuspensionException {
    return suspension().activity();
  }

  @Override
  public long suspend(Duration patience, Runnable wanted) throws SuspensionException {
    long begin = System.nanoTime();
    long bytes = suspension().suspend(patience, wanted);
    tell("suspended, %d MiB put aside".formatted(bytes >> 20), begin);
    return bytes;
  }

  private void tell(String what, long since) {
    if (!quiet) {
      long milliseconds = (System.nanoTime() - since) / 1_000_000;
      Log.info("session %d: %s in %d ms".formatted(number, what, milliseconds));
    }
  }

  @Override
  public void tell(String line) {
    try {
      suspension().tell(line);
    } catch (SuspensionException e) {
      Log.debug("a program was not told '%s': %s".formatted(line, e.getMessage()));
    }
  }

  @Override
  public boolean canMove() throws SuspensionException {
    return suspension().canMove();
  }

  @Override
  public void resume(List<DeviceMove> moves) throws SuspensionException {
    long begin = System.nanoTime();
    if (suspension().resume(moves)) {
      tell(resumed(moves.size()), begin);
    }
  }

  private static String resumed(int moves) {
    return switch (moves) {
      case 0 -> "resumed";
      case 1 -> "resumed on another GPU";
      default -> "resumed on %d other GPUs".formatted(moves);
    };
  }

  @Override
  public synchronized SessionFigures figures() {
    return closed
        ? SessionFigures.NOTHING
        : new SessionFigures(page.calls(), page.bytesIn(), page.bytesOut());
  }

  @Override
  public synchronized SessionTimes times() {
    return closed ? SessionTimes.NONE : new SessionTimes(page.timedCalls(), page.time());
  }

  /** The worker says when; it counts as hostile. */
  @Override
  public synchronized Optional<Absence> absence() {
    long since = closed ? 0 : page.awaySince();
    if (since == 0 || graceSeconds == 0) {
      return Optional.empty();
    }
    Instant begin = Instant.ofEpochMilli(Math.clamp(since, 0, System.currentTimeMillis()));
    return Optional.of(new Absence(begin, begin.plusSeconds(graceSeconds)));
  }

  /** What a client hears that comes back to it once it has ended. */
  synchronized Optional<OpenSessions.Ended> ended() {
    return farewell;
  }

  @Override
  public synchronized void stop(String why) {
    stopped = why;
    if (serving != null) {
      serving.stop();
    }
  }

  /** Not under this object's monitor: a suspension may be under way, which fails now. */
  private void free() {
    suspension.close();
  }

  private synchronized String cause(int status) {
    String told = page.cause().isEmpty() ? stopped : page.cause();
    return told.isEmpty() ? "its worker ended, " + WorkerProcess.describe(status) : printable(told);
  }

  private synchronized boolean isStopped() {
    return !stopped.isEmpty();
  }

  @Override
  public String client() {
    return "%s (process %d)"
        .formatted(printable(greeted.hello().program()), greeted.hello().process());
  }

  /** A client's own text; it must not look like lines of ours. */
  private static String printable(String text) {
    return text.replaceAll("\\p{Cntrl}", "?");
  }

  private void report(int status) {
    boolean told = !page.cause().isEmpty() || isStopped();
    boolean failed = !told || status == Worker.FAILED || (!page.opened() && !isStopped());
    if (quiet && !failed) {
      return;
    }
    String line =
        "session %d: %s: %s; %d calls, %d bytes in, %d out, %d handles left"
            .formatted(
                number,
                client(),
                cause(status),
                page.calls(),
                page.bytesIn(),
                page.bytesOut(),
                page.handles());
    if (failed) {
      Log.warn(line);
    } else {
      Log.info(line);
    }
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      page.close();
    }
  }
}
