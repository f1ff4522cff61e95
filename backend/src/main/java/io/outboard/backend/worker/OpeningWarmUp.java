// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.worker;

import io.outboard.backend.library.Allotment;
import io.outboard.backend.library.WorkerLibraries;
import io.outboard.backend.session.WorkerSession;
import io.outboard.backend.system.Log;
import io.outboard.backend.system.SharedPage;
import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.Sockets;
import io.outboard.communicator.stream.MessageStream;
import io.outboard.wire.Bytes;
import io.outboard.wire.Hello;
import io.outboard.wire.Message;
import io.outboard.wire.RegionAnswer;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/**
 * A worker's way from the hand-over to the Welcome, taken once before a client comes: by a client
 * within this process that asks for a library that nobody has. A first time costs 11 ms, most of
 * them in Java's security providers, which begin with the first random number.
 */
final class OpeningWarmUp implements AutoCloseable {
  private static final int TIMEOUT_MS = 1_000;

  /** Of no library. */
  private static final String NAME = "warm-up";

  private final int[] client = new int[2];
  private final int[] daemon = new int[2];
  private final SharedPage page;

  private OpeningWarmUp() throws IOException {
    Errno.check(Sockets.socketpair(client), "socketpair");
    Errno.check(Sockets.socketpair(daemon), "socketpair");
    page = SharedPage.create();
  }

  /** Plays it; whether the session opened. A worker in which it did not only greets later. */
  static boolean play(String devices) {
    try (OpeningWarmUp opening = new OpeningWarmUp()) {
      opening.open(devices);
      return true;
    } catch (IOException | RefusedSession e) {
      Log.debug("no opening is warmed up: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return false;
  }

  private void open(String devices) throws IOException, RefusedSession, InterruptedException {
    // It lies in the socket until it is asked for.
    new MessageStream(client[0], TIMEOUT_MS).send(new RegionAnswer(true).encode());
    new HandOver(
            client[1],
            page.descriptor(),
            hello(),
            nonce(),
            zero(),
            zero(),
            0,
            Allotment.EVERYTHING,
            Optional.empty(),
            "",
            Optional.empty(),
            OtherHosts.NONE,
            true)
        .send(daemon[0]);
    HandOver handOver = HandOver.receive(daemon[1]);
    SharedPage mapped = SharedPage.map(handOver.page());
    try (WorkerLibraries libraries = new WorkerLibraries()) {
      WorkerSession session =
          new SessionOpener(handOver, devices, mapped, libraries).open(outlives -> {});
      session.end("the warm-up is over", true);
      session.free();
    } finally {
      mapped.close();
    }
  }

  private static Bytes zero() {
    return Bytes.zero(Message.IDENTITY);
  }

  private static Bytes nonce() {
    return Bytes.zero(Message.NONCE);
  }

  private static Hello hello() {
    Hello.Library library = new Hello.Library(NAME, 1, 1, zero());
    return new Hello(
        Message.VERSION,
        Message.VERSION,
        0,
        zero(),
        nonce(),
        Hello.FLAG_REGIONS,
        List.of(library),
        new LinkedHashMap<>(),
        NAME);
  }

  @Override
  public void close() {
    page.close();
    for (int descriptor : new int[] {client[0], client[1], daemon[0], daemon[1]}) {
      Posix.close(descriptor);
    }
  }
}
