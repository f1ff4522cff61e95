// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.daemon;

import io.outboard.backend.cuda.ImageFolder;
import io.outboard.backend.health.DeviceHealth;
import io.outboard.backend.launch.WorkerLauncher;
import io.outboard.backend.launch.WorkerPool;
import io.outboard.backend.launch.WorkerProcess;
import io.outboard.backend.slices.MpsControl;
import io.outboard.backend.supervision.Suspensions;
import io.outboard.backend.suspend.Checkpoints;
import io.outboard.backend.system.ComputeCaches;
import io.outboard.communicator.greeting.Peer;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** The processes that a daemon starts, and the folders that they share. */
final class Workers implements AutoCloseable {
  private static final Duration MPS_START = Duration.ofSeconds(30);

  private final Optional<ImageFolder> images;
  private final Optional<ComputeCaches> caches;
  // None unless it is wanted.
  private final Optional<MpsControl> mps;
  private final WorkerPool pool;
  private final Suspensions suspensions;
  // None unless it is wanted and there is a GPU.
  private final Optional<WorkerProcess> keeper;
  private final DeviceHealth health;

  Workers(DaemonBuilder settings) throws IOException {
    images = settings.imageFolder();
    caches = settings.computeCaches();
    Map<String, String> given = settings.given();
    mps = settings.mps ? Optional.of(MpsControl.start(given, MPS_START)) : Optional.empty();
    WorkerLauncher launcher =
        new WorkerLauncher(
            settings.devices,
            settings.workerOptions(images),
            Optional.ofNullable(settings.users),
            given,
            mps.map(MpsControl::variables).orElse(Map.of()),
            caches,
            settings.workerFilter,
            settings.crashes());
    pool = new WorkerPool(launcher, settings.spareWorkers);
    suspensions =
        new Suspensions(
            new Checkpoints(launcher::startCheckpoints), settings.suspendMemory, settings.mps);
    keeper = settings.keepsInitialised ? launcher.startKeeper() : Optional.empty();
    health = settings.health(launcher);
  }

  Suspensions suspensions() {
    return suspensions;
  }

  /** A worker for a client. */
  WorkerProcess take(Peer.Principal who) throws IOException {
    WorkerProcess worker = pool.take();
    lend(worker, who);
    return worker;
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
  }
}
