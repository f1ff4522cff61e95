// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.worker;

import io.outboard.backend.confine.Confinement;
import io.outboard.backend.library.Libraries;
import io.outboard.backend.library.LibraryService;
import io.outboard.backend.library.WorkerLibraries;
import io.outboard.backend.route.RemoteHost;
import io.outboard.backend.session.SessionEnd;
import io.outboard.backend.session.WorkerSession;
import io.outboard.backend.system.Environment;
import io.outboard.backend.system.IdlePriority;
import io.outboard.backend.system.Log;
import io.outboard.backend.system.MemoryShortage;
import io.outboard.backend.system.Pause;
import io.outboard.backend.system.ProcessHardening;
import io.outboard.backend.system.SharedPage;
import io.outboard.backend.system.StderrGuard;
import io.outboard.backend.system.WorkerFilter;
import io.outboard.backend.warmup.WarmUp;
import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.Processes;
import io.outboard.communicator.posix.Processors;
import io.outboard.communicator.socket.AbstractSocket;
import java.io.EOFException;
import java.io.IOException;
import java.util.function.BooleanSupplier;

/**
 * The main class of a worker process: waits for one client, serves it, and ends with it. Nothing
 * that a client does outlives its worker.
 */
public final class Worker {
  /** Exit status of a worker whose session did not end in good order. */
  public static final int FAILED = 1;

  /** A property of workers whose sessions may outlive the daemon. */
  public static final String OUTLIVES = "outboard.outlives";

  /** Set where the virtual machine records a start-up cache. */
  private static final String TRAINING = "outboard.training";

  /** Set to {@code false} where sessions are too short for what a warm-up costs, as in tests. */
  private static final String WARMS_UP = "outboard.warm.up";

  /** Devices for which each library has something to warm up. */
  private static final String EVERY_DEVICE = "auto";

  /** A worker whose client comes sooner has no time to warm up. */
  private static final int ALONE_MS = 3_000;

  private static final long CLOSING_MS = 500;

  private Worker() {}

  /**
   * Runs a worker.
   *
   * @param arguments the name of the daemon's private socket, the devices to serve, and perhaps the
   *     user to become
   */
  public static void main(String[] arguments) throws IOException {
    StderrGuard.install();
    if (!Confinement.isOfThisProcess()) {
      // A starter has done so. The file is root's once this is another user.
      MemoryShortage.endBeforeDaemon();
    }
    if (arguments.length > 2) {
      become(Integer.parseInt(arguments[2]));
    }
    ProcessHardening.confine();
    int daemon = filtered(arguments[0]);
    warmUp(daemon, arguments[1]);
    HandOver handOver = HandOver.receive(daemon);
    boolean orderly = handOver == null || serve(handOver, daemon, arguments[1]);
    // Not exit: threads that wait in a driver must not hold up the end.
    WorkerEnd.now(orderly ? 0 : FAILED);
  }

  /** Returns the connection to the daemon; from here on calls are filtered. */
  private static int filtered(String socket) throws IOException {
    if (Confinement.isOfThisProcess()) {
      AbstractSocket.connect(Confinement.CONNECTION, socket);
      WorkerFilter.require();
      return Confinement.CONNECTION;
    }
    int daemon = AbstractSocket.connect(socket);
    if (Boolean.getBoolean(OUTLIVES)) {
      // The connection's end tells from here on, and the filter permits no change of this.
      ProcessHardening.outlive();
    }
    WorkerFilter.ofThisProcess().install(daemon);
    return daemon;
  }

  private static void become(int user) throws IOException {
    Errno.check(Processes.become(user), "a worker cannot become user " + user);
  }

  /**
   * Prepares the libraries, goes each way once and, after three seconds without a client, warms up.
   * Where processors are few it does so only at {@link IdlePriority}, since it would take them from
   * programs. The build's training run warms up at once: the start-up cache then holds what the
   * virtual machine finds out about the code (JEP 515), for workers that cannot warm up.
   */
  private static void warmUp(int daemon, String devices) {
    BooleanSupplier wanted = () -> Posix.poll(daemon, Posix.POLLIN, 0) != 0;
    try {
      if (isTraining()) {
        goEachWay(EVERY_DEVICE, () -> false);
        WarmUp.run(EVERY_DEVICE, () -> false);
      } else if (warmsUp() && (Processors.TO_SPARE || IdlePriority.isNow())) {
        prepare(devices, wanted);
        goEachWay(devices, wanted);
        if (Posix.poll(daemon, Posix.POLLIN, ALONE_MS) == 0) {
          WarmUp.run(devices, wanted);
        }
      }
    } catch (IllegalArgumentException e) {
      // A fault of the devices is told to a session.
      Log.debug(e.getMessage());
    }
  }

  /** Runs the code of a client's first calls once before the client comes. */
  private static void goEachWay(String devices, BooleanSupplier wanted) {
    if (!wanted.getAsBoolean()) {
      boolean unused = OpeningWarmUp.play(devices);
      WarmUp.once(devices, wanted);
    }
  }

  /** Whether the virtual machine records a start-up cache. */
  public static boolean isTraining() {
    return Boolean.getBoolean(TRAINING);
  }

  private static boolean warmsUp() {
    return Boolean.parseBoolean(System.getProperty(WARMS_UP, "true"));
  }

  private static void prepare(String devices, BooleanSupplier wanted) {
    for (LibraryService service : Libraries.present()) {
      service.prepare(devices, wanted);
    }
  }

  private static boolean serve(HandOver handOver, int daemon, String devices) throws IOException {
    SharedPage page = SharedPage.map(handOver.page());
    Processors.sharedBy(page::programs);
    DaemonLink link = new DaemonLink(daemon, handOver);
    link.prepare();
    PeerLossWatch lossWatch = new PeerLossWatch(handOver.client(), link, page);
    lossWatch.start();
    handOver.hello().environment().forEach(Environment::set);
    try (WorkerLibraries libraries = new WorkerLibraries()) {
      SessionOpener opening = new SessionOpener(handOver, devices, page, libraries);
      WorkerSession session = opening.open(lossWatch::outlive);
      WorkerEnd.before(() -> RemoteHost.of(session.context()).forEach(RemoteHost::leave));
      new DescriptorReceiver(link, session, opening).start();
      SessionEnd end = session.await();
      haltSoon(end.orderly());
      return end.orderly();
    } catch (RefusedSession e) {
      page.cause(e.getMessage());
    } catch (EOFException e) {
      page.cause("the client has gone");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return false;
  }

  /** A library that takes long to close, in a driver say, does not hold up the end. */
  private static void haltSoon(boolean orderly) {
    Thread.ofPlatform()
        .name("end")
        .daemon(true)
        .start(
            () -> {
              Pause.ms(CLOSING_MS);
              WorkerEnd.now(orderly ? 0 : FAILED);
            });
  }
}
