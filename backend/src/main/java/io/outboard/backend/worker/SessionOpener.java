// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.worker;

import io.outboard.backend.library.DeviceException;
import io.outboard.backend.library.SessionContext;
import io.outboard.backend.library.WorkerLibraries;
import io.outboard.backend.session.ClientContext;
import io.outboard.backend.session.Connection;
import io.outboard.backend.session.Heartbeat;
import io.outboard.backend.session.LastingStream;
import io.outboard.backend.session.WorkerSession;
import io.outboard.backend.system.Log;
import io.outboard.backend.system.NativeBuffer;
import io.outboard.backend.system.SharedPage;
import io.outboard.communicator.greeting.GreetingServer;
import io.outboard.communicator.region.GuestMemory;
import io.outboard.communicator.region.GuestRoom;
import io.outboard.communicator.region.RingStream;
import io.outboard.communicator.stream.SocketStream;
import io.outboard.wire.Bytes;
import io.outboard.wire.HostLink;
import io.outboard.wire.Message;
import io.outboard.wire.Refusal;
import io.outboard.wire.Welcome;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;

/** Opens a client's session: its libraries, then the Welcome. */
public final class SessionOpener {
  /** The property of a worker whose host connects to others, for copies (see {@link HostLink}). */
  public static final String LINKS = "outboard.links";

  private final HandOver handOver;
  private final String devices;
  private final SharedPage page;
  private final WorkerLibraries libraries;
  private final DaemonRequests requests;
  private Optional<LastingStream> lasting = Optional.empty();

  public SessionOpener(
      HandOver handOver, String devices, SharedPage page, WorkerLibraries libraries) {
    this.handOver = handOver;
    this.devices = devices;
    this.page = page;
    this.libraries = libraries;
    this.requests = new DaemonRequests(handOver.others().requests());
  }

  /**
   * Opens it; frames are served from here.
   *
   * @param outlives is told before the Welcome, where the session outlives its connection
   * @throws RefusedSession if that is not possible
   */
  public WorkerSession open(Consumer<LastingStream> outlives) throws RefusedSession, IOException {
    boolean joinable = !handOver.identity().isZero();
    Bytes identity = joinable ? handOver.identity() : Bytes.random(Message.IDENTITY);
    Connection connection = new Connection(new SocketStream(handOver.client()), page);
    WorkerSession session = new WorkerSession(connection, handOver.hello().tag(), devices, page);
    prepare(session.context());
    Optional<GuestRoom> room = room();
    session.context().beside(room);
    openLibraries(session.context());
    try (Sharing sharing = Sharing.wanted(handOver)) {
      // A client that has been welcomed may lose its connection at once.
      boolean offered = sharing.offered();
      boolean canBeLeft = sharing.canBeLeft();
      if (!offered) {
        outlive(Optional.empty(), outlives);
      }
      welcome(connection, identity, offered, joinable);
      Optional<RingStream> rings = sharing.agree();
      rings.ifPresentOrElse(connection::goOver, () -> room.ifPresent(GuestRoom::close));
      if (offered && (rings.isEmpty() || canBeLeft)) {
        outlive(rings, outlives);
      }
    }
    lasting.ifPresent(connection::goOver);
    page.serving();
    if (!handOver.proof().isZero()) {
      session.beat(Heartbeat.PERIOD_MS);
    }
    session.serve(libraries);
    return session;
  }

  private void prepare(ClientContext context) {
    context.client(handOver.hello().process(), handOver.hello().wantsLog());
    context.allot(handOver.allotment());
    context.confine(handOver.hello().slot());
    context.nativeCode(handOver.nativeCode());
    if (!handOver.others().hosts().isEmpty()) {
      context.join(handOver.others().hosts(), requests);
    }
  }

  /** For a client that has rings in the same memory, and whose guest never moves. */
  private Optional<GuestRoom> room() throws IOException {
    Optional<GuestMemory.Part> part = handOver.part().filter(GuestMemory.Part::fixed);
    return part.isPresent() ? Optional.of(GuestRoom.beside(part.get())) : Optional.empty();
  }

  /** The stream of a session that outlives its connection. */
  Optional<LastingStream> lasting() {
    return lasting;
  }

  /** For how long a further connection of the session may be away; 0: it ends with that. */
  int graceSeconds() {
    return lasting.isPresent() ? handOver.graceSeconds() : 0;
  }

  /** The way in which the session asks the daemon for connections. */
  DaemonRequests requests() {
    return requests;
  }

  private void outlive(Optional<RingStream> rings, Consumer<LastingStream> outlives) {
    if (handOver.graceSeconds() > 0) {
      lasting =
          Optional.of(new LastingStream(handOver.client(), rings, handOver.graceSeconds(), page));
      lasting.ifPresent(outlives);
    }
  }

  private void openLibraries(SessionContext context) throws RefusedSession, IOException {
    try {
      libraries.open(handOver.hello().libraries(), context);
    } catch (DeviceException e) {
      throw refused(Refusal.DEVICE, e.getMessage(), e);
    } catch (RuntimeException | LinkageError e) {
      Log.failure("a library cannot be opened", e);
      throw refused(Refusal.INTERNAL, "the backend failed: " + e, e);
    }
  }

  private RefusedSession refused(int code, String why, Throwable cause) throws IOException {
    GreetingServer.refuse(handOver.client(), new Refusal(code, why));
    return new RefusedSession(why, cause);
  }

  private void welcome(Connection connection, Bytes identity, boolean region, boolean joinable)
      throws IOException {
    Welcome welcome =
        new Welcome(
            handOver.hello().version(),
            identity,
            handOver.secret(),
            handOver.proof(),
            handOver.graceSeconds(),
            region,
            joinable,
            Boolean.getBoolean(LINKS),
            libraries.offered());
    byte[] bytes = welcome.encode();
    try (NativeBuffer buffer = new NativeBuffer(bytes.length)) {
      buffer.put(0, bytes, 0, bytes.length);
      connection.write(buffer.address(), bytes.length);
    }
  }
}
