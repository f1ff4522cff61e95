// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.daemon;

import io.outboard.backend.launch.WorkerLauncher;
import io.outboard.backend.library.Allotment;
import io.outboard.backend.library.WorkerLibraries;
import io.outboard.backend.session.WorkerSession;
import io.outboard.backend.system.Log;
import io.outboard.backend.system.SharedPage;
import io.outboard.backend.worker.HandOver;
import io.outboard.backend.worker.OtherHosts;
import io.outboard.backend.worker.RefusedSession;
import io.outboard.backend.worker.SessionOpener;
import io.outboard.communicator.Communicator;
import io.outboard.communicator.Endpoint;
import io.outboard.communicator.Listener;
import io.outboard.communicator.Listening;
import io.outboard.communicator.greeting.Claim;
import io.outboard.communicator.greeting.Greeted;
import io.outboard.communicator.greeting.GreetingServer;
import io.outboard.communicator.greeting.Peer;
import io.outboard.wire.Bytes;
import io.outboard.wire.Message;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * A worker without a daemon: serves one client, in this process. For benchmarks, which want to see
 * both ends of a session in one virtual machine; it has none of the isolation that a process of its
 * own gives.
 */
public final class SessionHost implements AutoCloseable {
  private final Listener listener;
  private final String devices;
  private final WorkerLibraries libraries = new WorkerLibraries();
  private final Thread thread = Thread.ofPlatform().daemon().name("host").unstarted(this::serve);

  private SessionHost(Listener listener, String devices) {
    this.listener = listener;
    this.devices = devices;
  }

  /**
   * Waits for the client, on a thread of its own.
   *
   * @param endpoint one whose clients need no token: {@code unix:PATH}
   * @param devices as in {@link DaemonBuilder#devices}
   */
  public static SessionHost listen(Endpoint endpoint, String devices) throws IOException {
    SessionHost host =
        new SessionHost(Communicator.of(endpoint).listen(endpoint, Listening.PLAIN), devices);
    host.thread.start();
    return host;
  }

  /** Options of a worker's virtual machine, which a benchmark's is to have too. */
  public static List<String> jvmOptions() {
    return WorkerLauncher.OPTIONS;
  }

  private void serve() {
    try (SharedPage page = SharedPage.create()) {
      int client = listener.accept();
      Greeted greeted =
          GreetingServer.receive(
              client, _ -> Claim.vouched(new Peer.Itself()), GreetingServer.TIMEOUT_MS);
      HandOver handOver =
          new HandOver(
              client,
              page.descriptor(),
              greeted.hello(),
              greeted.serverProof(),
              Bytes.zero(Message.IDENTITY),
              Bytes.zero(Message.IDENTITY),
              0,
              Allotment.EVERYTHING,
              Optional.empty(),
              greeted.regions(),
              Optional.empty(),
              OtherHosts.NONE,
              true);
      WorkerSession session = new SessionOpener(handOver, devices, page, libraries).open(_ -> {});
      session.await();
      session.free();
    } catch (IOException | RefusedSession e) {
      Log.failure("the session failed", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits for the end of the session, which is the client's to end. */
  @Override
  public void close() throws IOException {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    libraries.close();
    listener.close();
  }
}
