// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.daemon;

import io.outboard.backend.launch.WorkerProcess;
import io.outboard.backend.library.JoinedHost;
import io.outboard.backend.succession.SessionFacts;
import io.outboard.backend.succession.SessionFile;
import io.outboard.backend.succession.SessionFolder;
import io.outboard.backend.supervision.Admission;
import io.outboard.backend.supervision.Admitted;
import io.outboard.backend.supervision.BusyPrograms;
import io.outboard.backend.supervision.OpenSessions;
import io.outboard.backend.supervision.SessionFigures;
import io.outboard.backend.supervision.SupervisedSession;
import io.outboard.backend.supervision.Survivor;
import io.outboard.backend.system.Log;
import io.outboard.backend.system.SharedPage;
import io.outboard.backend.worker.HandOver;
import io.outboard.backend.worker.OtherHosts;
import io.outboard.communicator.greeting.Greeted;
import io.outboard.communicator.greeting.GreetingServer;
import io.outboard.communicator.greeting.Peer;
import io.outboard.communicator.greeting.RefusedException;
import io.outboard.communicator.posix.Posix;
import io.outboard.wire.Refusal;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** The sessions of a daemon: begins them, knows those that are open, and counts them. */
final class Sessions {
  private final Admission admission;
  private final Workers workers;
  private final JoinedHosts joins;
  // None where sessions end with this daemon.
  private final Optional<SessionFolder> folder;
  private final int mostSessions;
  private final int graceSeconds;
  private final boolean quiet;
  private final Runnable oneLeft;
  private final OpenSessions open = new OpenSessions();
  private final BusyPrograms busy = new BusyPrograms();
  private final AtomicInteger count = new AtomicInteger();
  private final AtomicInteger opened = new AtomicInteger();
  private volatile boolean draining;

  /** {@code oneLeft} runs after the end of each. */
  Sessions(
      DaemonBuilder settings,
      Workers workers,
      JoinedHosts joins,
      Optional<SessionFolder> folder,
      Runnable oneLeft) {
    this.admission = settings.admission;
    this.mostSessions = settings.mostSessions;
    this.graceSeconds = settings.graceSeconds;
    this.quiet = settings.quiet;
    this.workers = workers;
    this.joins = joins;
    this.folder = folder;
    this.oneLeft = oneLeft;
  }

  OpenSessions open() {
    return open;
  }

  /** Those that are open, or about to be. */
  int count() {
    return count.get();
  }

  /** No session begins any more. */
  void drain() {
    draining = true;
  }

  /** Returns the reason why a client would not be served. */
  Optional<Refusal> obstacle(Peer.Principal who) {
    Optional<Refusal> full = full(count.get() + 1);
    return full.isPresent() ? full : admission.obstacle(who);
  }

  /** Why so many sessions cannot be. */
  private Optional<Refusal> full(int wanted) {
    if (draining) {
      return Optional.of(
          new Refusal(
              Refusal.LIMIT, "this backend is about to end and begins no program any more"));
    }
    return wanted > mostSessions
        ? Optional.of(
            new Refusal(Refusal.LIMIT, "this backend serves " + mostSessions + " programs already"))
        : Optional.empty();
  }

  /** Gives a client to a worker, or tells it why not. */
  void begin(int client, Greeted greeted, Peer.Principal who) throws IOException {
    Optional<Refusal> refusal;
    try (Undo undo = new Undo()) {
      refusal = begin(client, greeted, who, undo);
    } catch (IOException | RuntimeException e) {
      GreetingServer.refuse(client, new Refusal(Refusal.INTERNAL, String.valueOf(e.getMessage())));
      throw e;
    }
    if (refusal.isPresent()) {
      GreetingServer.refuse(client, refusal.get());
    }
  }

  /** Why the client is turned away, or nothing. */
  private Optional<Refusal> begin(int client, Greeted greeted, Peer.Principal who, Undo undo)
      throws IOException {
    int wanted = count.incrementAndGet();
    undo.with(this::left);
    Optional<Refusal> full = full(wanted);
    if (full.isPresent()) {
      return full;
    }
    Admitted admitted;
    try {
      admitted = admission.admit(greeted.hello(), who);
    } catch (RefusedException e) {
      Log.info("a client was not admitted: " + e.getMessage());
      return Optional.of(e.refusal());
    }
    undo.with(() -> admitted.ended(SessionFigures.NOTHING));
    start(client, greeted, who, admitted, undo);
    undo.keep();
    return Optional.empty();
  }

  private void start(int client, Greeted greeted, Peer.Principal who, Admitted admitted, Undo undo)
      throws IOException {
    SupervisedSession session =
        new SupervisedSession(
            opened.incrementAndGet(),
            greeted,
            admitted,
            workers.suspensions(),
            graceSeconds,
            quiet || who instanceof Peer.Itself);
    undo.with(session::close);
    try (OtherHosts others = others(greeted, who, admitted)) {
      WorkerProcess worker = workers.take(who, greeted.hello());
      undo.with(worker::stop);
      boolean nativeCode = workers.mayRunNativeCode(worker, who, greeted.hello());
      open.add(session.identity(), session.opened(worker, who));
      undo.with(() -> open.remove(session.identity()));
      workers.bound(worker, admitted.lease());
      busy.add(session);
      undo.with(() -> busy.remove(session));
      session.start(worker, client, folder(who), others, nativeCode, () -> left(session));
    }
  }

  /** Sessions of this process itself end with it, so they are not left to the next daemon. */
  private Optional<SessionFolder> folder(Peer.Principal who) {
    return who instanceof Peer.Itself ? Optional.empty() : folder;
  }

  /** A lease has the hosts that it says; what there is here, this process asks first. */
  private OtherHosts others(Greeted greeted, Peer.Principal who, Admitted admitted)
      throws IOException {
    if (!admitted.others().isEmpty()) {
      return leased(greeted, admitted);
    }
    if (joins.isEmpty() || !(who instanceof Peer.Controller)) {
      return OtherHosts.NONE;
    }
    int requests = JoinRequests.open(() -> joins);
    List<JoinedHost> hosts = joins.open(greeted.hello());
    LinkRequests.begin(joins, hosts);
    return new OtherHosts(hosts, requests);
  }

  /** Each host's part has a token of its own, so that no two of them make a link. */
  private static OtherHosts leased(Greeted greeted, Admitted admitted) throws IOException {
    if (greeted.hello().slot().isPresent()) {
      throw new IOException("its lease has GPUs of other hosts: it cannot be joined");
    }
    int requests = JoinRequests.open(() -> new JoinedHosts(admitted.others()));
    try (JoinedHosts leased = new JoinedHosts(admitted.others())) {
      return new OtherHosts(leased.openAll(greeted.hello()), requests);
    } catch (IOException e) {
      Posix.close(requests);
      throw e;
    }
  }

  /** Goes on with one that the daemon before has begun. */
  void goOn(SessionFile file, SessionFacts known, SessionFile.Taken taken, WorkerProcess worker)
      throws IOException {
    try (Undo undo = new Undo()) {
      undo.with(worker::stop);
      goOn(file, known, taken, worker, undo);
      undo.keep();
    }
  }

  private void goOn(
      SessionFile file,
      SessionFacts known,
      SessionFile.Taken taken,
      WorkerProcess worker,
      Undo undo)
      throws IOException {
    SharedPage page = SharedPage.takeBack(taken.pages().getFirst());
    count.incrementAndGet();
    undo.with(this::left);
    opened.accumulateAndGet(known.number(), Math::max);
    Admitted admitted = admission.takeOver(survivor(known, taken));
    undo.with(() -> admitted.ended(SessionFigures.NOTHING));
    SupervisedSession session =
        new SupervisedSession(known, file, page, admitted, workers.suspensions(), quiet);
    undo.with(session::close);
    open.add(session.identity(), session.opened(worker, known.opener()));
    undo.with(() -> open.remove(session.identity()));
    workers.bound(worker, known.lease());
    serveRequests(worker, admitted);
    busy.add(session);
    undo.with(() -> busy.remove(session));
    session.goOn(worker, () -> left(session));
  }

  private static Survivor survivor(SessionFacts known, SessionFile.Taken taken) {
    List<Integer> shared = taken.pages().subList(1, taken.pages().size());
    return new Survivor(
        known.hello(),
        known.opener(),
        known.lease(),
        known.allotment().with(shared),
        known.since());
  }

  /** A worker may have sessions with other hosts, which the daemon before has opened. */
  private void serveRequests(WorkerProcess worker, Admitted admitted) throws IOException {
    boolean leased = !admitted.lease().isEmpty();
    if (leased || !joins.isEmpty()) {
      int requests = JoinRequests.open(() -> leased ? new JoinedHosts(admitted.others()) : joins);
      try {
        worker.give(HandOver.Further.of(HandOver.Purpose.REQUESTS, requests));
      } finally {
        Posix.close(requests);
      }
    }
  }

  private void left(SupervisedSession session) {
    busy.remove(session);
    session.ended().ifPresent(ended -> open.keep(session.identity(), ended));
    open.remove(session.identity());
    left();
  }

  private void left() {
    workers.trimImages();
    workers.left();
    count.decrementAndGet();
    oneLeft.run();
  }
}
