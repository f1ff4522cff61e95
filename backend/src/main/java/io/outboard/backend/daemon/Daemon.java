// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.daemon;

import io.outboard.backend.confine.NativeCode;
import io.outboard.backend.launch.DriverKeepAlive;
import io.outboard.backend.launch.ProcessWatch;
import io.outboard.backend.library.DeviceChoice;
import io.outboard.backend.library.Libraries;
import io.outboard.backend.offload.Offloads;
import io.outboard.backend.succession.SessionFolder;
import io.outboard.backend.supervision.Admission;
import io.outboard.backend.system.Count;
import io.outboard.backend.system.Log;
import io.outboard.backend.system.Pause;
import io.outboard.communicator.Communicator;
import io.outboard.communicator.Endpoint;
import io.outboard.communicator.greeting.Greeted;
import io.outboard.communicator.greeting.Peer;
import io.outboard.plugin.PlugIns;
import io.outboard.wire.Bytes;
import io.outboard.wire.Hello;
import io.outboard.wire.Message;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/**
 * Listens, greets, and hands each client to a worker process of its own.
 *
 * <p>Start one with {@link #builder}; it ends with {@link #close}, or with the process that it
 * watches.
 */
public final class Daemon implements AutoCloseable {
  private static final long LOOK_MS = 100;

  private final Admission admission;
  private final Workers workers;
  private final JoinedHosts joins;
  private final Sessions sessions;
  private final Reception reception;
  private final Doors doors;
  // None where sessions end with this daemon.
  private final Optional<SessionFolder> folder;
  private final long drainMs;
  private final AtomicBoolean closing = new AtomicBoolean();
  private final CountDownLatch closed = new CountDownLatch(1);
  // The process that this daemon serves, if it is gone the daemon ends with the last session.
  private volatile boolean orphaned;
  // The sessions that run outlive this daemon.
  private volatile boolean leaving;

  /** Starts one; nobody listens any more if there is an error. */
  static Daemon start(DaemonBuilder settings) throws IOException {
    Doors doors = new Doors(settings);
    try {
      doors.bind(settings);
      return new Daemon(settings, doors);
    } catch (IOException | RuntimeException e) {
      doors.close();
      throw e;
    }
  }

  private Daemon(DaemonBuilder settings, Doors doors) throws IOException {
    Log.prepare();
    admission = settings.admission;
    drainMs = settings.drainMs;
    joins = JoinedHosts.of(settings.joins, Optional.ofNullable(settings.joinToken));
    this.doors = doors;
    folder = settings.sessionFolder(doors.endpoints());
    LeftSessions left = LeftSessions.in(folder);
    Optional.ofNullable(settings.users).ifPresent(left::reserve);
    workers = new Workers(settings, folder.isPresent());
    if (!left.isEmpty()) {
      workers.reserve(left);
    }
    sessions = new Sessions(settings, workers, joins, folder, this::endIfAlone);
    reception = new Reception(settings, sessions, joins, offloads(settings));
    folder.ifPresent(Daemon::make);
    left.takeOver(workers, sessions);
    Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(this::end));
    doors.open(reception);
    // By now this daemon would answer itself.
    orClose(joins::check);
    if (PlugIns.folder().isPresent()) {
      tellRefusedPlugIns();
    }
    if (settings.watched != DaemonBuilder.NOBODY) {
      new ProcessWatch(settings.watched, this::orphan).start();
    }
    if (settings.tools != null) {
      Thread.ofPlatform().name("confinement").daemon(true).start(workers::nativeCode);
    }
    settings.ready.accept(this);
  }

  private Optional<Offloads> offloads(DaemonBuilder settings) throws IOException {
    return settings.offload == null
        ? Optional.empty()
        : Optional.of(workers.offloads(settings.offload, admission, this::beginOffloaded));
  }

  /** The session with a GPU of code that a client has sent. */
  private void beginOffloaded(int client, Hello hello, Peer.Principal who) throws IOException {
    Bytes nothing = Bytes.zero(Message.NONCE);
    sessions.begin(client, new Greeted(hello, who, Optional.empty(), nothing), who);
  }

  /** A step of the start. */
  private interface Step {
    void run() throws IOException;
  }

  /** A daemon that does not start leaves nothing. */
  private void orClose(Step step) throws IOException {
    try {
      step.run();
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  private static void make(SessionFolder folder) {
    try {
      folder.make();
    } catch (IOException e) {
      Log.warn("programs end with this backend: " + e.getMessage());
    }
  }

  /** Warns about plug-ins that were refused; a faulty one does not stop the others. */
  private static void tellRefusedPlugIns() {
    Stream.of(PlugIns.refused(), Libraries.offers().refused(), Communicator.offers().refused())
        .flatMap(List::stream)
        .forEach(refused -> Log.warn(refused + "; it is not used"));
  }

  /** A daemon with nothing set. */
  public static DaemonBuilder builder() {
    return new DaemonBuilder();
  }

  /** Whether these devices may be GPUs whose driver measures how busy they are. */
  public static boolean hasMeasures(DeviceChoice devices) {
    return DriverKeepAlive.mayBe(devices);
  }

  /** Where clients connect to. */
  public List<Endpoint> endpoints() {
    return doors.endpoints();
  }

  /** Whose native code runs here; it may take a moment to find that out. */
  public NativeCode nativeCode() {
    return workers.nativeCode();
  }

  /** Sessions that are open, or about to be. */
  public int sessions() {
    return sessions.count();
  }

  /** Waits for the daemon's end. */
  public void await() throws InterruptedException {
    closed.await();
  }

  private void orphan() {
    orphaned = true;
    endIfAlone();
  }

  private void endIfAlone() {
    if (orphaned && sessions.count() == 0) {
      close();
    }
  }

  /**
   * Begins no session any more, waits as long as it was told for those that are open, and ends.
   * Those that are open can still be asked for and about meanwhile.
   */
  public void end() {
    sessions.drain();
    long end = System.nanoTime() + drainMs * 1_000_000;
    if (drainMs > 0 && sessions.count() > 0) {
      Log.info("waiting for %s to end".formatted(Count.of(sessions.count(), "session")));
    }
    while (!closing.get() && sessions.count() > 0 && System.nanoTime() - end < 0) {
      Pause.ms(LOOK_MS);
    }
    close();
  }

  /** Ends it for another daemon, which takes its sessions over; as {@link #end} if none can. */
  public void leave() {
    if (folder.isEmpty()) {
      end();
      return;
    }
    sessions.drain();
    leaving = true;
    close();
  }

  /** Ends it, and its workers with it; returns when that is done, whoever began it. */
  @Override
  public synchronized void close() {
    if (closing.compareAndSet(false, true)) {
      doors.close();
      reception.close();
      joins.close();
      if (leaving) {
        workers.leave();
      }
      workers.close();
      if (leaving) {
        admission.leave();
      } else {
        admission.close();
      }
      closed.countDown();
    }
  }
}
