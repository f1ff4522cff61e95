// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.port;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.outboard.communicator.Endpoint;
import io.outboard.communicator.Listener;
import io.outboard.communicator.Origin;
import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.Sockets;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;

/**
 * Serves the programs of one virtual machine over a port of it. What {@link #accept} returns is the
 * other end of a socket pair; one thread passes bytes on between these and the port, and waits for
 * a port that is not there.
 */
final class PortListener implements Listener {
  /** Most channels at a time, and most that nobody has accepted yet; the next are closed. */
  static final int CHANNELS = 512;

  private static final int LOOK_MS = 250;
  private static final int FAILED = 8;

  /** Connects to a port. */
  @FunctionalInterface
  interface Port {
    /** A stream socket, or a negated error number. */
    int connect();
  }

  private final Endpoint endpoint;
  private final Port port;
  private final Consumer<String> told;
  private final BlockingQueue<Integer> accepted = new LinkedBlockingQueue<>();
  private final Map<Integer, PortChannel> channels = new LinkedHashMap<>();
  private final Arena arena = Arena.ofShared();
  private final MemorySegment events = arena.allocate((CHANNELS + 1L) * Posix.POLLFD, 8);
  private final PortEpoch epoch = new PortEpoch(arena);
  private int socket = -1;
  // The last channel that the other side has opened.
  private int last;
  private volatile boolean closed;

  PortListener(Endpoint endpoint, Port port, Consumer<String> told) {
    this.endpoint = endpoint;
    this.port = port;
    this.told = told;
  }

  /** Begins to serve. */
  PortListener start() {
    Thread.ofPlatform().name("port " + endpoint).daemon(true).start(this::serve);
    return this;
  }

  @Override
  public Endpoint endpoint() {
    return endpoint;
  }

  @Override
  public int accept() throws IOException {
    try {
      int connection = closed ? CLOSED : accepted.take();
      if (closed && connection != CLOSED) {
        Posix.close(connection);
      }
      return closed ? CLOSED : connection;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  /** All connections are one virtual machine's. */
  @Override
  public Origin origin(int descriptor) {
    return new Origin.Remote(endpoint.toString());
  }

  @Override
  public void close() {
    closed = true;
    accepted.add(CLOSED);
  }

  // ---- the port

  private void serve() {
    while (!closed) {
      socket = port.connect();
      if (socket >= 0) {
        told.accept("the port at " + endpoint + " is there");
        pass();
        forgetAll();
        Posix.close(socket);
        if (!closed) {
          told.accept("the port at " + endpoint + " has gone");
        }
      }
      pause();
    }
    for (Integer left = accepted.poll(); left != null; left = accepted.poll()) {
      if (left != CLOSED) {
        Posix.close(left);
      }
    }
    accepted.add(CLOSED);
    arena.close();
  }

  private static void pause() {
    Posix.poll(0, 0, LOOK_MS);
  }

  private void pass() {
    epoch.begin();
    boolean there = write();
    while (there && !closed) {
      boolean moves = epoch.stands() && epoch.hasRoom();
      List<PortChannel> polled = List.copyOf(channels.values());
      int ready = await(moves, polled);
      there = ready < 0 || move(polled);
    }
  }

  private int await(boolean moves, List<PortChannel> polled) {
    boolean writes = epoch.out().held() > 0;
    int reads = epoch.hasRoom() ? Posix.POLLIN : 0;
    poll(0, socket, reads | (writes ? Posix.POLLOUT : 0));
    int count = 1;
    for (PortChannel channel : polled) {
      int interests = channel.interests(moves);
      poll(count++, interests < 0 ? -1 : channel.socket(), interests);
    }
    return Posix.poll(events.address(), count, LOOK_MS);
  }

  private void poll(int at, int fd, int interests) {
    long from = (long) at * Posix.POLLFD;
    events.set(JAVA_INT, from, fd);
    events.set(JAVA_SHORT, from + 4, (short) Math.max(interests, 0));
    events.set(JAVA_SHORT, from + 6, (short) 0);
  }

  private int came(int at) {
    return events.get(JAVA_SHORT, (long) at * Posix.POLLFD + 6) & 0xffff;
  }

  /** One round; false if the port has gone. */
  private boolean move(List<PortChannel> polled) {
    for (int i = 0; i < polled.size(); i++) {
      polled.get(i).ready(came(i + 1));
    }
    boolean there = came(0) == 0 || read(came(0));
    takeAll();
    if (epoch.stands()) {
      channels.values().forEach(channel -> channel.put(epoch));
    }
    bury();
    return there && write();
  }

  private boolean read(int came) {
    if ((came & (Posix.POLLIN | Posix.POLLHUP | FAILED)) == 0 || !epoch.hasRoom()) {
      return true;
    }
    epoch.in().closeUp();
    int n = Sockets.receive(socket, epoch.in().next(), epoch.in().room());
    epoch.in().added(Math.max(n, 0));
    return n > 0 || n == -Errno.EAGAIN || n == -Errno.EINTR;
  }

  private boolean write() {
    int n = 1;
    while (n > 0 && epoch.out().held() > 0) {
      n = Sockets.send(socket, epoch.out().first(), epoch.out().held());
      epoch.out().dropped(Math.max(n, 0));
    }
    epoch.out().closeUp();
    return n > 0 || n == -Errno.EAGAIN || n == -Errno.EINTR;
  }

  // ---- channels

  /** Each frame may be answered at once, so none is taken where there is no room for that. */
  private void takeAll() {
    while (epoch.hasRoom()) {
      Optional<PortFrame> frame = epoch.take();
      if (frame.isPresent() && !take(frame.get())) {
        epoch.fail();
        forgetAll();
      }
      if (epoch.tookEnd()) {
        forgetAll();
      } else if (frame.isEmpty()) {
        return;
      }
    }
  }

  /** A frame of a channel that has ended here meanwhile means nothing. */
  private boolean take(PortFrame frame) {
    if (frame.kind() == PortFrame.OPEN) {
      return open(frame.channel());
    }
    PortChannel channel = channels.get(frame.channel());
    if (channel == null) {
      return frame.channel() > 0 && frame.channel() <= last;
    }
    return channel.take(frame);
  }

  private boolean open(int id) {
    if (id <= last) {
      return false;
    }
    last = id;
    int[] pair = new int[2];
    boolean room = channels.size() < CHANNELS && accepted.size() < CHANNELS;
    if (!room || Sockets.socketpair(pair) < 0) {
      epoch.put(PortFrame.CLOSE, id, 0);
      return true;
    }
    channels.put(id, new PortChannel(id, pair[0]));
    accepted.add(pair[1]);
    return true;
  }

  private void bury() {
    channels.values().removeIf(PortListener::closeIfDone);
  }

  private static boolean closeIfDone(PortChannel channel) {
    if (channel.isDone()) {
      channel.close();
    }
    return channel.isDone();
  }

  private void forgetAll() {
    channels.values().forEach(PortChannel::close);
    channels.clear();
    last = 0;
  }
}
