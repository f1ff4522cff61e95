// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.launch;

import io.outboard.backend.system.IdlePriority;
import io.outboard.backend.system.Log;
import io.outboard.backend.system.Pause;
import io.outboard.backend.system.WorkerFilter;
import io.outboard.backend.system.WorkerUsers;
import io.outboard.communicator.Listener;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.Sockets;
import io.outboard.communicator.socket.AbstractSocket;
import io.outboard.wire.Bytes;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * Workers: those that have started and wait for a client, so that a client need not wait for a
 * virtual machine to start, and those that serve one.
 */
public final class WorkerPool implements AutoCloseable {
  private static final int START_SECONDS = 60;

  /** Most of a start; on a machine that is always busy nothing would ever start in spare time. */
  private static final Duration SPARE_TIME = Duration.ofSeconds(10);

  private static final int NAME_BYTES = 16;
  private static final long ACCEPT_PAUSE_MS = 100;

  private final WorkerLauncher launcher;
  private final int spare;
  private final Duration spareTime;
  private final String socket = "outboard-" + Bytes.random(NAME_BYTES).hex();
  private final Listener listener;
  private final SpareStarts spares;
  // All of these are guarded by this object's monitor.
  private final Map<Long, WorkerProcess> starting = new HashMap<>();
  private final Map<WorkerKind, WorkerQueue> queues = new EnumMap<>(WorkerKind.class);
  private final Set<WorkerProcess> serving = new HashSet<>();
  private final Set<WorkerProcess> pressed = new HashSet<>();
  private boolean closed;

  /**
   * Starts the pool.
   *
   * @param spare workers to keep ready, of each kind that is wanted; the first one is started in
   *     any case
   */
  public WorkerPool(WorkerLauncher launcher, int spare) throws IOException {
    this(launcher, spare, SPARE_TIME);
  }

  /** With another time in which spare workers start where processors have nothing else to do. */
  WorkerPool(WorkerLauncher launcher, int spare, Duration spareTime) throws IOException {
    this.launcher = launcher;
    this.spare = spare;
    this.spareTime = spareTime;
    this.listener = AbstractSocket.listen(socket);
    this.spares = new SpareStarts(this::fillSpares);
    for (WorkerKind kind : WorkerKind.values()) {
      queues.put(kind, new WorkerQueue());
    }
    Thread.ofPlatform().name("worker-pool").daemon(true).start(this::accept);
    synchronized (this) {
      queues.get(WorkerKind.PLAIN).want();
      start(WorkerKind.PLAIN);
    }
  }

  /**
   * Takes a worker that waits for its client; starts one if there is none.
   *
   * @throws IOException if none can be started; the message says why
   */
  public WorkerProcess take(WorkerKind kind) throws IOException {
    CompletableFuture<WorkerProcess> wanted = new CompletableFuture<>();
    synchronized (this) {
      queues.get(kind).await(wanted);
      match(kind);
      hurry(kind);
      fill();
    }
    try {
      return wanted.get(START_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new IOException(e.getCause().getMessage(), e);
    } catch (TimeoutException e) {
      throw new IOException("no worker has started within " + START_SECONDS + " seconds", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      withdraw(kind, wanted);
    }
  }

  /** One that another daemon has started, and that serves. */
  public WorkerProcess takeOver(int process, OptionalInt user, int connection) throws IOException {
    WorkerProcess worker = WorkerProcess.takenOver(process, user, connection);
    synchronized (this) {
      serving.add(worker);
    }
    worker.onExit(_ -> forget(worker));
    user.ifPresent(own -> worker.onExit(_ -> launcher.free(own)));
    return worker;
  }

  /** As {@link WorkerUsers#free}, of a user that a worker of another daemon was. */
  public void free(int user) {
    launcher.free(user);
  }

  private synchronized void forget(WorkerProcess worker) {
    serving.remove(worker);
  }

  /** From here on the workers that serve outlive this process. */
  public synchronized void leave() {
    serving.clear();
  }

  private synchronized void withdraw(WorkerKind kind, CompletableFuture<WorkerProcess> wanted) {
    queues.get(kind).withdraw(wanted);
  }

  /** Gives the workers that are ready to those who wait. */
  private void match(WorkerKind kind) {
    WorkerQueue queue = queues.get(kind);
    for (Optional<WorkerProcess> next = queue.match(); next.isPresent(); next = queue.match()) {
      serving.add(next.get());
    }
  }

  /** Somebody waits for those that are starting. */
  private void hurry(WorkerKind kind) {
    if (queues.get(kind).isAwaited()) {
      starting(kind).forEach(one -> one.processes().forEach(IdlePriority::end));
    }
  }

  private Stream<WorkerProcess> starting(WorkerKind kind) {
    return starting.values().stream().filter(one -> one.kind() == kind);
  }

  /**
   * Each start that is wanted is tried once: where none succeeds that is said, and not repeated.
   */
  private void fill() {
    for (WorkerKind kind : WorkerKind.values()) {
      fill(kind);
    }
  }

  private void fill(WorkerKind kind) {
    for (int i = missing(kind); i > 0 && !closed; i--) {
      start(kind);
    }
    if (missing(kind) + spare(kind) > 0 && !closed) {
      spares.want();
    }
  }

  /** Those that nobody waits for are not in the way of the program that the last one went to. */
  private synchronized void fillSpares() {
    for (WorkerKind kind : WorkerKind.values()) {
      for (int i = missing(kind) + spare(kind); i > 0 && !closed; i--) {
        start(kind).ifPresent(this::startInSpareTime);
      }
    }
  }

  private void startInSpareTime(WorkerProcess worker) {
    worker.processes().forEach(IdlePriority::begin);
    spares.after(spareTime, () -> press(worker));
  }

  /** It found too little of it. Once it has started it waits in spare time again. */
  private synchronized void press(WorkerProcess worker) {
    if (starting.containsValue(worker)) {
      pressed.add(worker);
      worker.processes().forEach(IdlePriority::end);
    }
  }

  private int spare(WorkerKind kind) {
    return queues.get(kind).isWanted() ? spare : 0;
  }

  private int missing(WorkerKind kind) {
    return queues.get(kind).missing(starting(kind).count());
  }

  private Optional<WorkerProcess> start(WorkerKind kind) {
    try {
      WorkerProcess worker = launcher.start(kind, socket);
      starting.put(worker.starter(), worker);
      worker.onExit(status -> ended(worker, status));
      return Optional.of(worker);
    } catch (IOException e) {
      fail(kind, "no worker can be started: " + e.getMessage());
      return Optional.empty();
    }
  }

  private void fail(WorkerKind kind, String why) {
    if (!queues.get(kind).fail(why)) {
      Log.warn(why);
    }
  }

  private void accept() {
    int descriptor = 0;
    while (descriptor != Listener.CLOSED) {
      try {
        descriptor = listener.accept();
        connected(descriptor);
      } catch (IOException e) {
        Log.warn("a worker is not accepted: " + e.getMessage());
        Pause.ms(ACCEPT_PAUSE_MS);
      }
    }
  }

  private synchronized void connected(int descriptor) {
    if (descriptor == Listener.CLOSED) {
      return;
    }
    long process = Sockets.peerProcess(descriptor);
    WorkerProcess worker = started(process);
    if (worker == null) {
      Posix.close(descriptor);
      return;
    }
    worker.connected(descriptor, process);
    if (launcher.filter() == WorkerFilter.LOG) {
      FilterLog.start(worker.pid(), descriptor);
    }
    WorkerQueue queue = queues.get(worker.kind());
    queue.add(worker);
    match(worker.kind());
    if (pressed.remove(worker) && queue.isReady(worker)) {
      IdlePriority.begin(worker.pid());
    }
  }

  /** The one that a process is, or the child of whose starter it is; null if there is none. */
  private WorkerProcess started(long process) {
    WorkerProcess itself = starting.remove(process);
    return itself != null
        ? itself
        : ProcessHandle.of(process)
            .flatMap(ProcessHandle::parent)
            .map(parent -> starting.remove(parent.pid()))
            .orElse(null);
  }

  private synchronized void ended(WorkerProcess worker, int status) {
    boolean started = starting.remove(worker.starter()) == null;
    boolean idle = queues.get(worker.kind()).remove(worker);
    serving.remove(worker);
    pressed.remove(worker);
    if (!closed && (idle || !started)) {
      fail(
          worker.kind(),
          "a worker ended before it had a client, " + WorkerProcess.describe(status));
    }
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      starting.values().forEach(WorkerProcess::stop);
      serving.forEach(WorkerProcess::stop);
      queues.values().forEach(WorkerQueue::stop);
    }
    spares.close();
    listener.close();
    launcher.close();
  }
}
