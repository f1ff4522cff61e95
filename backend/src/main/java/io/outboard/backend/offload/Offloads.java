// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.offload;

import io.outboard.backend.code.CallsPage;
import io.outboard.backend.code.CodeOrder;
import io.outboard.backend.confine.Confinement;
import io.outboard.backend.launch.MemoryGroups;
import io.outboard.backend.launch.WorkerKind;
import io.outboard.backend.launch.WorkerPool;
import io.outboard.backend.launch.WorkerProcess;
import io.outboard.backend.supervision.Admission;
import io.outboard.backend.system.Log;
import io.outboard.communicator.greeting.GreetingServer;
import io.outboard.communicator.greeting.Peer;
import io.outboard.communicator.greeting.RefusedException;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.stream.MessageStream;
import io.outboard.wire.Bytes;
import io.outboard.wire.CodeAnswer;
import io.outboard.wire.CodeRequest;
import io.outboard.wire.ProtocolException;
import io.outboard.wire.Refusal;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** The sessions of offloaded code: each has a worker of its own, and ends with it. */
public final class Offloads {
  private final OffloadSettings settings;
  private final Jars jars;
  private final WorkerPool pool;
  private final MemoryGroups groups;
  private final Supplier<Confinement> confinement;
  private final Admission admission;
  private final GpuSessions gpus;
  private final CodeLoad load = new CodeLoad();
  // Guarded by this object's monitor: sessions by account.
  private final Map<String, Integer> open = new HashMap<>();
  private int sessions;
  private long begun;

  /**
   * Serves with these.
   *
   * @param confinement of workers of code, without which none runs
   * @param admission says whether somebody would be served
   * @param gpus begins the sessions of code that uses a GPU
   * @throws IOException if the folder of jars cannot be used
   */
  public Offloads(
      OffloadSettings settings,
      WorkerPool pool,
      MemoryGroups groups,
      Supplier<Confinement> confinement,
      Admission admission,
      GpuSessions gpus)
      throws IOException {
    this.settings = settings;
    this.jars = Jars.in(settings.jars());
    this.pool = pool;
    this.groups = groups;
    this.confinement = confinement;
    this.admission = admission;
    this.gpus = gpus;
  }

  /**
   * Serves a client that has been welcomed; the connection stays its caller's to close.
   *
   * @throws IOException if it goes or is refused
   */
  public void serve(int client, Peer.Principal who) throws IOException {
    try {
      CodeRequest request =
          CodeRequest.decode(new MessageStream(client, GreetingServer.TIMEOUT_MS).receive());
      check(request, who);
      begin(client, who, request);
    } catch (RefusedException e) {
      GreetingServer.refuse(client, e.refusal());
      throw e;
    } catch (ProtocolException e) {
      GreetingServer.refuse(client, new Refusal(Refusal.MALFORMED, e.getMessage()));
      throw new IOException(e.getMessage(), e);
    }
  }

  private void check(CodeRequest request, Peer.Principal who) throws RefusedException {
    AllowList allowed = settings.allowed();
    if (!allowed.allows(who, request.jar()) && allowed.signers(who).isEmpty()) {
      throw refused(
          "the jar %s is not on the list of this tenant's".formatted(request.jar().hex()));
    }
    if (!confinement.get().isAvailable()) {
      throw refused("this backend cannot confine workers of code: " + confinement.get().text());
    }
    Optional<Refusal> obstacle = admission.obstacle(who);
    if (obstacle.isPresent()) {
      throw new RefusedException(obstacle.get());
    }
  }

  private static RefusedException refused(String why) {
    return new RefusedException(new Refusal(Refusal.CODE, why));
  }

  private void begin(int client, Peer.Principal who, CodeRequest request) throws IOException {
    String account = AllowList.account(who);
    long number = enter(account);
    boolean started = false;
    try {
      int jar = open(client, who, request);
      try {
        start(client, who, request, jar, number);
        started = true;
      } finally {
        Posix.close(jar);
      }
    } finally {
      if (!started) {
        leave(account);
      }
    }
  }

  private synchronized long enter(String account) throws RefusedException {
    int own = open.getOrDefault(account, 0);
    if (sessions >= settings.bounds().sessions() || own >= settings.bounds().tenantSessions()) {
      throw new RefusedException(
          new Refusal(
              Refusal.LIMIT,
              "%d sessions of code are open, %d of this tenant: try again when one has ended"
                  .formatted(sessions, own)));
    }
    sessions++;
    open.put(account, own + 1);
    return ++begun;
  }

  private synchronized void leave(String account) {
    sessions--;
    open.computeIfPresent(account, (_, count) -> count > 1 ? count - 1 : null);
    groups.left();
  }

  /** The jar's file, which the client sends where it is not here. */
  private int open(int client, Peer.Principal who, CodeRequest request) throws IOException {
    Optional<Integer> known = jars.find(request.jar());
    if (known.isPresent()) {
      return known.get();
    }
    if (request.bytes() == 0) {
      throw refused("the jar %s is not installed here".formatted(request.jar().hex()));
    }
    new MessageStream(client, GreetingServer.TIMEOUT_MS)
        .send(new CodeAnswer(CodeAnswer.SEND, 0).encode());
    return jars.receive(client, request, settings.allowed().allows(who, request.jar()));
  }

  /** The signers whose jars alone are to be opened; none where the jar itself is listed. */
  private Optional<Set<Bytes>> signers(Peer.Principal who, Bytes jar) {
    AllowList allowed = settings.allowed();
    return allowed.allows(who, jar)
        ? Optional.empty()
        : Optional.of(allowed.signers(who).orElse(Set.of()));
  }

  private void order(
      WorkerProcess worker,
      int client,
      Peer.Principal who,
      CodeRequest request,
      int jar,
      CallsPage calls)
      throws IOException {
    int gpu = CodeGpu.open(gpus, who, "offloaded " + request.service());
    try {
      worker.order(
          new CodeOrder(
              client,
              jar,
              gpu,
              settings.bounds().gpu(),
              calls.descriptor(),
              settings.bounds().callSeconds(),
              signers(who, request.jar()),
              request));
    } finally {
      Posix.close(gpu);
    }
  }

  private void start(int client, Peer.Principal who, CodeRequest request, int jar, long number)
      throws IOException {
    WorkerProcess worker = pool.take(WorkerKind.CODE);
    String account = AllowList.account(who);
    try {
      CallsPage calls = load.enter();
      worker.onExit(_ -> load.leave(calls));
      groups.join("code" + number, settings.bounds().memory(), worker.processes());
      order(worker, client, who, request, jar, calls);
      CodeClient.follow(client, worker, () -> admission.obstacle(who).isEmpty());
    } catch (IOException e) {
      worker.stop();
      throw e;
    }
    Log.info(
        "session of code %d: %s of %s, worker %d"
            .formatted(number, request.service(), request.jar().hex(), worker.pid()));
    worker.onExit(
        status -> {
          leave(account);
          Log.info(
              "session of code %d has ended, its worker %s"
                  .formatted(number, WorkerProcess.describe(status)));
        });
  }
}
