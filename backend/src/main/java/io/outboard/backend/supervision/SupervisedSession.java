// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.supervision;

import io.outboard.backend.launch.WorkerProcess;
import io.outboard.backend.library.Allotment;
import io.outboard.backend.succession.SessionFacts;
import io.outboard.backend.succession.SessionFile;
import io.outboard.backend.succession.SessionFolder;
import io.outboard.backend.suspend.DeviceMove;
import io.outboard.backend.suspend.SuspensionException;
import io.outboard.backend.system.Count;
import io.outboard.backend.system.IdlePriority;
import io.outboard.backend.system.Log;
import io.outboard.backend.system.SharedPage;
import io.outboard.backend.worker.HandOver;
import io.outboard.backend.worker.OtherHosts;
import io.outboard.backend.worker.Sharing;
import io.outboard.backend.worker.Succession;
import io.outboard.backend.worker.Worker;
import io.outboard.communicator.greeting.Greeted;
import io.outboard.communicator.greeting.Peer;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.region.GuestMemory;
import io.outboard.communicator.region.SharedFile;
import io.outboard.wire.Bytes;
import io.outboard.wire.Message;
import io.outboard.wire.Printable;
import io.outboard.wire.Token;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A session as the daemon sees it: its client, and the page that its worker writes. */
public final class SupervisedSession implements ServedSession, BusyPrograms.Told, AutoCloseable {
  /** A client whose session ended with its connection asks at once. */
  private static final int FAREWELL_SECONDS = 20;

  private final int number;
  private final Greeted greeted;
  private final boolean quiet;
  private final SharedPage page;
  private final Bytes identity;
  private final Bytes secret;
  private final Instant since;
  private final int graceSeconds;
  private final Admitted admitted;
  private final Suspensions suspensions;
  // All of these are guarded by this object's monitor.
  private WorkerProcess serving;
  private SessionSuspension suspension;
  private String stopped = "";
  private boolean closed;
  private Optional<OpenSessions.Ended> farewell = Optional.empty();
  // Both are empty where it ends with this daemon.
  private Optional<SessionFacts> facts = Optional.empty();
  private Optional<SessionFile> file = Optional.empty();

  /** A new one. */
  public SupervisedSession(
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
    this.identity = Bytes.random(Message.IDENTITY);
    this.secret = Bytes.random(Message.IDENTITY);
    this.since = Instant.now();
  }

  /** One that another daemon has begun. */
  public SupervisedSession(
      SessionFacts known,
      SessionFile file,
      SharedPage page,
      Admitted admitted,
      Suspensions suspensions,
      boolean quiet) {
    this.number = known.number();
    this.greeted =
        new Greeted(known.hello(), known.opener(), known.proven(), Bytes.zero(Message.NONCE));
    this.admitted = admitted;
    this.suspensions = suspensions;
    this.graceSeconds = known.graceSeconds();
    this.quiet = quiet;
    this.page = page;
    this.identity = known.identity();
    this.secret = known.secret();
    this.since = known.since();
    this.facts = Optional.of(known);
    this.file = Optional.of(file);
  }

  /** Returns the session's identity, which only its client knows. */
  public Bytes identity() {
    return identity;
  }

  /** The session as its further connections find it. */
  public OpenSessions.Opened opened(WorkerProcess worker, Peer.Principal opener) {
    return new OpenSessions.Opened(worker, opener, greeted.proven(), returning(), graceSeconds > 0);
  }

  /** The proof of a client that has lost its connection. */
  private Token returning() {
    return greeted.proven().orElseGet(Token::none).derived("resume " + secret.hex());
  }

  /**
   * Gives the client to a worker, which its caller stops if that fails.
   *
   * @param folder where the next daemon looks for it; none where it ends with this one
   * @param others the other hosts whose devices it gets too
   * @param nativeCode whether it may bring code to the machine's processors
   * @param left runs when the worker has ended
   */
  public void start(
      WorkerProcess worker,
      int client,
      Optional<SessionFolder> folder,
      OtherHosts others,
      boolean nativeCode,
      Runnable left)
      throws IOException {
    if (!quiet) {
      Log.info("session %d: %s, worker %d".formatted(number, client(), worker.pid()));
    }
    handOver(
        worker, client, folder.flatMap(place -> succession(place, worker)), others, nativeCode);
    // Not sooner: a worker that is told so late would go on warming up at the cost of others.
    IdlePriority.end(worker.pid());
    follow(worker, left);
  }

  /** Goes on with a worker that another daemon has started. */
  public void goOn(WorkerProcess worker, Runnable left) {
    if (!quiet) {
      Log.info("session %d: %s goes on, worker %d".formatted(number, client(), worker.pid()));
    }
    follow(worker, left);
    try {
      suspension().takeOver();
    } catch (SuspensionException e) {
      Log.warn(
          "whether session %d is suspended is not known: %s".formatted(number, e.getMessage()));
    }
  }

  private void follow(WorkerProcess worker, Runnable left) {
    serves(worker);
    admitted.started(this);
    worker.onExit(
        status -> {
          ended(status);
          left.run();
        });
  }

  private void handOver(
      WorkerProcess worker,
      int client,
      Optional<Succession> succession,
      OtherHosts others,
      boolean nativeCode)
      throws IOException {
    Optional<GuestMemory.Part> part = part();
    try {
      worker.handOver(handOver(client, succession, part, others, nativeCode));
    } catch (IOException | RuntimeException e) {
      forget();
      throw e;
    } finally {
      part.ifPresent(GuestMemory.Part::close);
      succession.ifPresent(one -> Posix.close(one.socket()));
    }
  }

  /** Without one the connection carries the bytes. */
  private Optional<GuestMemory.Part> part() {
    Optional<GuestMemory> memory = greeted.memory().filter(_ -> greeted.hello().wantsRegion());
    try {
      return memory.isPresent() ? memory.get().take(Sharing.USUAL) : Optional.empty();
    } catch (IOException e) {
      Log.info("session %d: %s".formatted(number, e.getMessage()));
      return Optional.empty();
    }
  }

  /** Without one the session ends with this daemon. */
  private Optional<Succession> succession(SessionFolder folder, WorkerProcess worker) {
    SessionFile place = folder.create();
    try {
      SessionFacts known = facts(worker);
      place.write(known);
      Succession succession = place.open(known.key());
      keep(place, known);
      return Optional.of(succession);
    } catch (IOException e) {
      Log.warn("session %d ends with this backend: %s".formatted(number, e.getMessage()));
      place.close();
      return Optional.empty();
    }
  }

  private synchronized void keep(SessionFile place, SessionFacts known) {
    file = Optional.of(place);
    facts = Optional.of(known);
  }

  private synchronized void forget() {
    file.ifPresent(SessionFile::close);
    file = Optional.empty();
  }

  private SessionFacts facts(WorkerProcess worker) throws IOException {
    Allotment allotment = admitted.allotment();
    List<String> pages = new ArrayList<>();
    for (int one : new int[] {page.descriptor(), allotment.page(), allotment.events()}) {
      if (one >= 0) {
        pages.add(SharedFile.identity(one));
      }
    }
    return new SessionFacts(
        (int) worker.pid(),
        worker.user(),
        Token.random(),
        number,
        greeted.hello(),
        (Peer.Principal) greeted.peer(),
        greeted.proven(),
        identity,
        secret,
        graceSeconds,
        admitted.lease(),
        since,
        allotment,
        pages);
  }

  @Override
  public synchronized void uses(String lease) {
    facts = facts.map(known -> known.withLease(lease));
    try {
      if (file.isPresent()) {
        file.get().write(facts.get());
      }
    } catch (IOException e) {
      Log.warn("session %d: the next backend will not know its lease: %s".formatted(number, e));
    }
  }

  private HandOver handOver(
      int client,
      Optional<Succession> succession,
      Optional<GuestMemory.Part> part,
      OtherHosts others,
      boolean nativeCode) {
    boolean hasMemory = greeted.memory().isEmpty() || part.isPresent();
    return new HandOver(
        client,
        page.descriptor(),
        hasMemory ? greeted.hello() : greeted.hello().withoutRegion(),
        greeted.serverProof(),
        identity,
        secret,
        graceSeconds,
        admitted.allotment(),
        succession,
        greeted.regions(),
        part,
        others,
        nativeCode);
  }

  private void ended(int status) {
    report(status);
    SessionFigures figures = figures();
    remember(status);
    close();
    forget();
    free();
    admitted.ended(figures);
  }

  /**
   * Remembers the end for a client that comes back, or comes to ask why. A client that ended the
   * session in good order does not.
   */
  private synchronized void remember(int status) {
    if (status != 0 || !stopped.isEmpty() || page.awaySince() != 0) {
      int seconds = Math.max(graceSeconds, FAREWELL_SECONDS);
      farewell = Optional.of(new OpenSessions.Ended(returning(), cause(status), seconds));
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
  public SessionCalls calls() throws SuspensionException {
    return suspension().calls();
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

  @Override
  public void onWanted(Runnable wanted) throws SuspensionException {
    suspension().onWanted(wanted);
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
        : new SessionFigures(
            page.calls(), page.bytesIn(), page.bytesOut(), page.linksLost(), page.linksResumed());
  }

  @Override
  public synchronized void counted(SessionFigures now) {
    if (!closed) {
      page.counted(now.bytesIn(), now.bytesOut());
    }
  }

  /** Calls and links are on no account. */
  @Override
  public synchronized SessionFigures counted() {
    return closed
        ? SessionFigures.NOTHING
        : new SessionFigures(
            page.calls(),
            page.countedIn(),
            page.countedOut(),
            page.linksLost(),
            page.linksResumed());
  }

  @Override
  public synchronized SessionTimes times() {
    return closed ? SessionTimes.NONE : new SessionTimes(page.timedCalls(), page.time());
  }

  /** So many of the programs that this daemon serves are busy at the same time. */
  @Override
  public synchronized void programs(int busy) {
    if (!closed) {
      page.programs(busy);
    }
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

  /** Returns the answer to a client that comes back after the session's end. */
  public synchronized Optional<OpenSessions.Ended> ended() {
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
    return told.isEmpty()
        ? "its worker ended, " + WorkerProcess.describe(status)
        : Printable.of(told);
  }

  private synchronized boolean isStopped() {
    return !stopped.isEmpty();
  }

  /** The name is a client's own text; it must not look like lines of ours. */
  @Override
  public String client() {
    return "%s (process %d)"
        .formatted(Printable.of(greeted.hello().program()), greeted.hello().process());
  }

  private void report(int status) {
    boolean told = !page.cause().isEmpty() || isStopped();
    boolean failed = !told || status == Worker.FAILED || (!page.opened() && !isStopped());
    if (quiet && !failed) {
      return;
    }
    String line =
        "session %d: %s: %s; %s, %s in, %d out, %s left"
            .formatted(
                number,
                client(),
                cause(status),
                Count.of(page.calls(), "call"),
                Count.of(page.bytesIn(), "byte"),
                page.bytesOut(),
                Count.of(page.handles(), "handle"));
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
