// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.daemon;

import io.outboard.backend.confine.Confinement;
import io.outboard.backend.confine.NativeCode;
import io.outboard.backend.cuda.ImageFolder;
import io.outboard.backend.health.DeviceHealth;
import io.outboard.backend.launch.MemoryGroups;
import io.outboard.backend.launch.WorkerKind;
import io.outboard.backend.launch.WorkerLauncher;
import io.outboard.backend.launch.WorkerPool;
import io.outboard.backend.launch.WorkerProcess;
import io.outboard.backend.offload.GpuSessions;
import io.outboard.backend.offload.OffloadSettings;
import io.outboard.backend.offload.Offloads;
import io.outboard.backend.slices.MpsControl;
import io.outboard.backend.supervision.Admission;
import io.outboard.backend.supervision.Suspensions;
import io.outboard.backend.suspend.Checkpoints;
import io.outboard.backend.system.ComputeCaches;
import io.outboard.communicator.greeting.Peer;
import io.outboard.wire.Hello;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** The processes that a daemon starts, and the folders that they share. */
final class Workers implements AutoCloseable {
  private static final Duration MPS_START = Duration.ofSeconds(30);

  private final Optional<ImageFolder> images;
  private final Optional<ComputeCaches> caches;
  // None unless it is wanted.
  private final Optional<MpsControl> mps;
  private final FutureTask<NativeCode> nativeCode;
  private final WorkerPool pool;
  private final Suspensions suspensions;
  // None unless it is wanted and there is a GPU.
  private final Optional<WorkerProcess> keeper;
  private final DeviceHealth health;
  private final MemoryGroups groups;

  /** {@code outlives} says whether sessions go on without this daemon. */
  Workers(DaemonBuilder settings, boolean outlives) throws IOException {
    groups = MemoryGroups.create(settings.hostMemory);
    images = settings.imageFolder();
    caches = settings.computeCaches();
    Map<String, String> given = settings.given();
    mps = settings.mps ? Optional.of(MpsControl.start(given, MPS_START)) : Optional.empty();
    nativeCode = new FutureTask<>(() -> settings.nativeCode(images, caches));
    WorkerLauncher launcher =
        new WorkerLauncher(
            settings.devices,
            Map.of(
                WorkerKind.PLAIN, settings.workerOptions(images, outlives),
                WorkerKind.CONFINED,
                    settings.workerOptions(images.filter(ImageFolder::isOfSeveralUsers), false),
                WorkerKind.CODE, settings.codeOptions()),
            Optional.ofNullable(settings.users),
            given,
            mps.map(MpsControl::variables).orElse(Map.of()),
            caches,
            settings.workerFilter,
            settings.crashes(),
            () -> nativeCode().confinement());
    pool = new WorkerPool(launcher, settings.spareWorkers);
    suspensions =
        new Suspensions(
            new Checkpoints(launcher::startCheckpoints), settings.suspendMemory, settings.mps);
    keeper = settings.keepsInitialised ? launcher.startKeeper() : Optional.empty();
    health = settings.health(launcher);
  }

  /** Sessions of code with workers of these. */
  Offloads offloads(OffloadSettings settings, Admission admission, GpuSessions gpus)
      throws IOException {
    return new Offloads(settings, pool, groups, () -> nativeCode().confinement(), admission, gpus);
  }

  Suspensions suspensions() {
    return suspensions;
  }

  /** A worker for a client. */
  WorkerProcess take(Peer.Principal who, Hello hello) throws IOException {
    WorkerProcess worker = pool.take(kind(who, hello));
    lend(worker, who);
    return worker;
  }

  /** Has the host's memory bounded that the workers of a lease have together. */
  void bound(WorkerProcess worker, String lease) throws IOException {
    if (!lease.isEmpty()) {
      groups.join(lease, worker.processes());
    }
  }

  /** A worker has ended. */
  void left() {
    groups.left();
  }

  /** It is asked for few libraries, of which most clients' run no native code. */
  private WorkerKind kind(Peer.Principal who, Hello hello) {
    List<String> asked = hello.libraries().stream().map(Hello.Library::name).toList();
    return !isOperator(who) && nativeCode().isFor(asked) ? WorkerKind.CONFINED : WorkerKind.PLAIN;
  }

  private static boolean isOperator(Peer.Principal who) {
    return switch (who) {
      case Peer.Operator _, Peer.Itself _ -> true;
      case Peer.Member _, Peer.Holder _ -> false;
    };
  }

  /**
   * Whether a session may bring code to this machine's processors. A backend that has joined this
   * one has its token, and its clients are not for that this one's operator.
   */
  boolean mayRunNativeCode(WorkerProcess worker, Peer.Principal who, Hello hello) {
    return worker.kind() == WorkerKind.CONFINED || (isOperator(who) && hello.slot().isEmpty());
  }

  /** Whose native code runs here: found out by the first who asks. */
  NativeCode nativeCode() {
    nativeCode.run();
    try {
      return nativeCode.get();
    } catch (ExecutionException e) {
      return new NativeCode(Set.of(), Confinement.none("its trial failed: " + e.getCause()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new NativeCode(Set.of(), Confinement.none("its trial was interrupted"));
    }
  }

  /** The users of workers that another daemon has left are nobody else's. */
  void reserve(LeftSessions left) {
    nativeCode().confinement().users().ifPresent(left::reserve);
  }

  /** Without the folder the worker gets no client: it may have what another tenant left. */
  private void lend(WorkerProcess worker, Peer.Principal who) throws IOException {
    if (caches.isPresent() && worker.user().isPresent()) {
      try {
        caches.get().lend(worker.user().getAsInt(), who);
      } catch (IOException e) {
        worker.stop();
        throw e;
      }
    }
  }

  /** A worker that another daemon has started, at this connection. */
  WorkerProcess takeOver(int process, OptionalInt user, int connection) throws IOException {
    return pool.takeOver(process, user, connection);
  }

  /** No worker is that user any more. */
  void free(int user) {
    pool.free(user);
  }

  void trimImages() {
    images.ifPresent(ImageFolder::trim);
  }

  /** Those that serve outlive this process. */
  void leave() {
    pool.leave();
  }

  @Override
  public void close() {
    pool.close();
    keeper.ifPresent(WorkerProcess::stop);
    health.close();
    suspensions.close();
    mps.ifPresent(MpsControl::close);
    groups.close();
  }
}
