// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.devices;

import io.outboard.backend.system.Log;
import io.outboard.backend.system.WorkerUsers;
import io.outboard.communicator.Listener;
import io.outboard.communicator.posix.Descriptors;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.Processes;
import io.outboard.communicator.posix.Sockets;
import io.outboard.communicator.socket.AbstractSocket;
import io.outboard.softgpu.share.Exchange;
import io.outboard.wire.Bytes;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Workers hand each other descriptors over sockets without files, named by bytes that nobody can
 * guess. Both sides have to be of the same user, or of the users of workers: a descriptor is of
 * more than what was granted. A connection lasts as long as what was granted is used, so that the
 * death of either is seen.
 */
public final class WorkerExchange implements Exchange {
  private static final String PREFIX = "outboard-exchange-";

  @Override
  public Bytes open(Responder responder) throws IOException {
    Bytes name = Bytes.random(NAME);
    Listener listener = AbstractSocket.listen(PREFIX + name.hex());
    Thread.ofPlatform()
        .daemon(true)
        .name("outboard-exchange")
        .start(() -> accept(listener, responder));
    return name;
  }

  /** As long as the process lives. */
  private static void accept(Listener listener, Responder responder) {
    while (true) {
      try {
        int connection = listener.accept();
        Thread.ofPlatform()
            .daemon(true)
            .name("outboard-granted")
            .start(() -> serve(connection, responder));
      } catch (IOException e) {
        Log.warn("another worker could not be answered: " + e.getMessage());
      }
    }
  }

  private static void serve(int connection, Responder responder) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = arena.allocate(REQUEST, 8);
      if (isWorker(connection) && receive(connection, bytes, new int[] {-1})) {
        Grant grant = responder.grant(bytes.toArray(ValueLayout.JAVA_BYTE));
        if (grant != null) {
          answer(connection, grant, bytes);
        }
      }
    } finally {
      Posix.close(connection);
    }
  }

  private static boolean isWorker(int connection) {
    int user = Sockets.peerUser(connection);
    String users = System.getProperty(WorkerUsers.PROPERTY);
    return user == Processes.getuid() || (users != null && WorkerUsers.parse(users).contains(user));
  }

  /** Waits until the other side closes the connection. */
  private static void answer(int connection, Grant grant, MemorySegment bytes) {
    try {
      MemorySegment.copy(grant.answer(), 0, bytes, ValueLayout.JAVA_BYTE, 0, ANSWER);
      int[] descriptor = {grant.descriptor()};
      if (Descriptors.send(connection, descriptor, bytes.address(), ANSWER) == ANSWER) {
        long unused = Posix.read(connection, bytes.address(), 1);
      }
    } finally {
      grant.ended().run();
    }
  }

  /** Receives as many bytes as there is room for, and a descriptor if one comes. */
  private static boolean receive(int connection, MemorySegment bytes, int[] descriptor) {
    long got = 0;
    while (got < bytes.byteSize()) {
      int[] came = {-1};
      int rest = (int) (bytes.byteSize() - got);
      int more = Descriptors.receive(connection, came, bytes.address() + got, rest);
      descriptor[0] = came[0] >= 0 ? came[0] : descriptor[0];
      if (more <= 0) {
        return false;
      }
      got += more;
    }
    return true;
  }

  @Override
  public Answer ask(Bytes name, byte[] request) throws IOException {
    int connection = AbstractSocket.connect(PREFIX + name.hex());
    int[] descriptor = {-1};
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment sent = arena.allocate(REQUEST, 8);
      MemorySegment.copy(request, 0, sent, ValueLayout.JAVA_BYTE, 0, REQUEST);
      MemorySegment answer = arena.allocate(ANSWER, 8);
      boolean granted =
          isWorker(connection)
              && Sockets.send(connection, sent.address(), REQUEST) == REQUEST
              && receive(connection, answer, descriptor)
              && descriptor[0] >= 0;
      if (granted) {
        return new Granted(answer.toArray(ValueLayout.JAVA_BYTE), descriptor[0], connection);
      }
    }
    if (descriptor[0] >= 0) {
      Posix.close(descriptor[0]);
    }
    Posix.close(connection);
    throw new IOException("the other process grants nothing");
  }

  private record Granted(byte[] bytes, int descriptor, int connection) implements Answer {
    @Override
    public void close() {
      Posix.close(connection);
    }
  }
}
