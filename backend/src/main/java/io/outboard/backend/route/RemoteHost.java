// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.route;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outboard.backend.library.JoinedHost;
import io.outboard.backend.library.SessionContext;
import io.outboard.client.ClientLibrary;
import io.outboard.client.Session;
import io.outboard.cuda.CudaDriverTable;
import io.outboard.nvml.NvmlDriverTable;
import io.outboard.wire.Slot;
import io.outboard.wire.Welcome;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;

/** The session with another host's backend. */
public final class RemoteHost {
  /** The libraries that a program may have of other hosts. */
  public static final List<ClientLibrary> LIBRARIES =
      List.of(
          ClientLibrary.CUDA,
          new ClientLibrary(
              NvmlDriverTable.LIBRARY,
              NvmlDriverTable.ID,
              NvmlDriverTable.LEVEL,
              NvmlDriverTable.DIGEST,
              NvmlDriverTable.UNAVAILABLE));

  private final JoinedHost host;
  private final Session session;
  private final SessionContext context;

  private RemoteHost(JoinedHost host, SessionContext context) {
    this.host = host;
    this.context = context;
    this.session =
        Session.adopt(
            host.name(),
            host.socket(),
            host.slot().number(),
            host.welcome(),
            milliseconds -> context.connections().connect(host, milliseconds),
            LIBRARIES,
            stream(context::output),
            stream(context::error));
  }

  /** Those of a session; opened once. */
  public static List<RemoteHost> of(SessionContext context) {
    return context.shared(Opened.class, () -> new Opened(context)).hosts;
  }

  private static final class Opened {
    private final List<RemoteHost> hosts;

    Opened(SessionContext context) {
      hosts = context.joined().stream().map(host -> new RemoteHost(host, context)).toList();
    }
  }

  /** Bytes that are written go on in whole pieces; their writer flushes them. */
  private static PrintStream stream(Consumer<byte[]> to) {
    OutputStream pieces =
        new OutputStream() {
          @Override
          public void write(int one) {
            to.accept(new byte[] {(byte) one});
          }

          @Override
          public void write(byte[] from, int offset, int length) {
            byte[] piece = new byte[length];
            System.arraycopy(from, offset, piece, 0, length);
            to.accept(piece);
          }
        };
    return new PrintStream(pieces, true, UTF_8);
  }

  Session session() {
    return session;
  }

  /** Whether each of this thread's next calls is answered. */
  void answering(boolean each) {
    session.answering(each);
  }

  Slot slot() {
    return host.slot();
  }

  /** Where its backend is. */
  String name() {
    return host.name();
  }

  /** The calls of a library that it has. */
  public BitSet calls(String library) {
    return host.welcome().libraries().stream()
        .filter(one -> one.name().equals(library))
        .findFirst()
        .map(Welcome.Library::calls)
        .orElseGet(BitSet::new);
  }

  /** Whether it serves a library. */
  public boolean has(String library) {
    return !calls(library).isEmpty();
  }

  /** Its links to other hosts end. */
  void dropLinks() {
    session.dropLinks();
  }

  /** This process ends, and waits for nobody: a host that hears nothing keeps the session. */
  public void leave() {
    session.leave();
  }

  /** Nothing that it says counts any more. */
  int lied() {
    context.message(
        host.name() + " has handed out what is not its own; its devices are not used any more");
    session.close();
    return CudaDriverTable.UNAVAILABLE;
  }
}
