// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.route;

import io.outboard.backend.cuda.CudaService;
import io.outboard.backend.devices.CudaDevices;
import io.outboard.backend.library.JoinedHost;
import io.outboard.backend.library.LibraryInstance;
import io.outboard.backend.library.WorkerLibraries;
import io.outboard.backend.session.Connection;
import io.outboard.backend.session.WorkerSession;
import io.outboard.backend.system.SharedPage;
import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.Sockets;
import io.outboard.communicator.stream.SocketStream;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaDriverTable;
import io.outboard.wire.Bytes;
import io.outboard.wire.Message;
import io.outboard.wire.Slot;
import io.outboard.wire.Welcome;
import java.io.IOException;
import java.util.BitSet;
import java.util.List;

/** Two hosts in this process: the near one's worker has a session with the far one's. */
final class FarHost implements AutoCloseable {
  static final Slot SLOT = new Slot(1);

  private final SharedPage page = SharedPage.create();
  private final WorkerSession far;
  private final WorkerSession near;
  private final RemoteHost remote;
  private final int[] client;

  /** The far one hands out handles with a tag, which ought to be the number of its slot. */
  FarHost(CudaDriver driver, int tag) throws IOException {
    int[] link = sockets();
    far = session(link[0], tag);
    BitSet calls = new BitSet();
    calls.set(1, CudaDriverTable.LEVEL + 1);
    LibraryInstance library =
        CudaService.serve(far.context(), new CudaDevices.Opened(driver, calls, _ -> {}));
    far.serve(WorkerLibraries.of(CudaDriverTable.LIBRARY, CudaDriverTable.ID, library));
    client = sockets();
    near = session(client[0], 0);
    near.context()
        .join(
            List.of(new JoinedHost(SLOT, "far", link[1], welcome(calls))),
            (host, milliseconds) -> {
              throw new IOException("no connection is made in this test");
            });
    remote = RemoteHost.of(near.context()).getFirst();
  }

  private static int[] sockets() throws IOException {
    int[] pair = new int[2];
    Errno.check(Sockets.socketpair(pair), "socketpair");
    return pair;
  }

  private WorkerSession session(int socket, int tag) {
    return new WorkerSession(new Connection(new SocketStream(socket), page), tag, "software", page);
  }

  private static Welcome welcome(BitSet calls) {
    Bytes none = Bytes.zero(Message.IDENTITY);
    Welcome.Library cuda =
        new Welcome.Library(
            CudaDriverTable.LIBRARY, CudaDriverTable.ID, CudaDriverTable.LEVEL, calls);
    return new Welcome(Message.VERSION, none, none, Bytes.zero(Message.NONCE), List.of(cuda));
  }

  /** The devices of both. */
  CudaDriver with(CudaDriver local) {
    return RoutedCuda.of(local, List.of(remote));
  }

  /** Whether each of this thread's calls there is answered. */
  void answering(boolean each) {
    remote.answering(each);
  }

  /** The far one is no more. */
  void end() {
    far.end("the far host has ended", true);
  }

  /** The sessions' threads write to the page until they have ended. */
  @Override
  public void close() {
    remote.session().close();
    for (WorkerSession session : List.of(far, near)) {
      session.end("the test is over", true);
      free(session);
    }
    Posix.close(client[1]);
    page.close();
  }

  private static void free(WorkerSession session) {
    try {
      session.free();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
