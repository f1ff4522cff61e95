// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import io.outboard.backend.daemon.Daemon;
import io.outboard.backend.daemon.DaemonBuilder;
import io.outboard.client.ClientLibrary;
import io.outboard.client.Session;
import io.outboard.communicator.Endpoint;
import io.outboard.communicator.greeting.GreetingClient;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.socket.UnixCommunicator;
import io.outboard.patience.Patience;
import io.outboard.testkit.ToyTable;
import io.outboard.wire.Bytes;
import io.outboard.wire.Hello;
import io.outboard.wire.Message;
import io.outboard.wire.Welcome;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/** A backend of this process at a Unix socket, and its clients. */
public final class Backend implements AutoCloseable {
  private static final int PATIENCE_MS = Patience.milliseconds();
  private static final ClientLibrary TOY =
      new ClientLibrary(ToyTable.LIBRARY, ToyTable.ID, ToyTable.LEVEL, ToyTable.DIGEST, 1000);

  public final Daemon daemon;
  private final Endpoint endpoint;

  public Backend(Path folder, DaemonBuilder builder) throws IOException {
    endpoint = socket(folder);
    daemon = builder.listen(endpoint).start();
  }

  public static Endpoint socket(Path folder) {
    return Endpoint.unix(folder.resolve("backend.sock").toString());
  }

  /** Workers that live, ready or serving. */
  public static List<ProcessHandle> workers() {
    return ProcessHandle.current().children().toList();
  }

  public int connect() throws IOException {
    return new UnixCommunicator().connect(endpoint);
  }

  public RawClient client() throws IOException {
    return client(connect(), "test");
  }

  public static RawClient client(int socket, String program) throws IOException {
    greet(socket, program, Bytes.zero(Message.IDENTITY), 0);
    return new RawClient(socket);
  }

  /** Greets as a client of the fake library does; the socket is closed if that fails. */
  public static Welcome greet(int socket, String program, Bytes session, int flags)
      throws IOException {
    Hello hello =
        new Hello(
            Message.OLDEST,
            Message.VERSION,
            (int) ProcessHandle.current().pid(),
            session,
            Bytes.random(Message.NONCE),
            flags,
            List.of(
                new Hello.Library(
                    FakeService.NAME, FakeLibrary.NUMBER, 9, Bytes.zero(Message.IDENTITY))),
            new LinkedHashMap<>(),
            program);
    try {
      return GreetingClient.greet(socket, hello, true, Optional.empty(), PATIENCE_MS);
    } catch (IOException e) {
      Posix.close(socket);
      throw e;
    }
  }

  public Session toy() throws IOException {
    return Session.open(endpoint, List.of(TOY));
  }

  @Override
  public void close() {
    daemon.close();
  }
}
