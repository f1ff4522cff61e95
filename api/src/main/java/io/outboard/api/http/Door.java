// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Lets connections in: so many in all and of one address. When these are reached, the connection
 * that has kept the server waiting for longest is dropped for a new one. So a newcomer always gets
 * in, as only connections whose requests are at work are never dropped, and these are at most half
 * of either number. Clients that have proven who they are have places of their own.
 */
public final class Door implements AutoCloseable {
  /** Connections at a time. */
  public static final int MOST = 512;

  /** Connections of one address at a time. */
  public static final int MOST_OF_ADDRESS = 128;

  /** Connections of one client at a time that has proven who it is. */
  public static final int MOST_OF_KNOWN = 16;

  private static final System.Logger LOG = System.getLogger(Door.class.getName());
  // Bytes that the kernel keeps for a client that does not read its answers.
  private static final int SEND_BYTES = 64 << 10;
  private static final Duration PAUSE = Duration.ofMillis(100);

  private final ServerSocket listener;
  private final LongSupplier nanos;
  private final Duration first;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Thread acceptor;
  // Guarded by this object's monitor, as what its visitors have.
  private final Set<Visitor> visitors = new HashSet<>();

  /**
   * Opens it.
   *
   * @param first how long a connection has for its first request
   * @param host serves a connection, on a thread of its own; when that is over, it is closed
   */
  public Door(ServerSocket listener, Duration first, LongSupplier nanos, Consumer<Visitor> host) {
    this.listener = listener;
    this.first = first;
    this.nanos = nanos;
    this.acceptor = Thread.ofPlatform().daemon().name("api-door").start(() -> accept(host));
  }

  /** A connection. */
  public final class Visitor {
    private final Socket socket;
    private final AddressBlock block;
    private long since;
    private long deadline;
    private boolean works;
    private String known = "";

    private Visitor(Socket socket) {
      this.socket = socket;
      this.block = AddressBlock.of(socket.getInetAddress());
      waits(first);
    }

    public Socket socket() {
      return socket;
    }

    public InetAddress address() {
      return socket.getInetAddress();
    }

    /** The server waits for it from now on, so long at most. */
    public void waits(Duration most) {
      synchronized (Door.this) {
        since = nanos.getAsLong();
        deadline = since + most.toNanos();
        works = false;
      }
    }

    /** It has proven who it is, and takes no stranger's place from now on. */
    public void isKnown(String who) {
      synchronized (Door.this) {
        if (known.isEmpty()) {
          known = who;
          List<Visitor> same = of(this);
          if (same.size() > MOST_OF_KNOWN && !dropOldest(same)) {
            leave(this);
          }
        }
      }
    }

    /** Its request is at work from now on, unless too many are; then nothing changes. */
    public boolean works() {
      synchronized (Door.this) {
        works =
            known.isEmpty()
                ? atWork(strangers()) < MOST / 2 && atWork(of(block)) < MOST_OF_ADDRESS / 2
                : atWork(of(this)) < MOST_OF_KNOWN / 2;
        return works;
      }
    }

    private boolean isOver(long now) {
      return !works && now - deadline >= 0;
    }

    private void drop() {
      try {
        socket.close();
      } catch (IOException e) {
        LOG.log(System.Logger.Level.DEBUG, "a connection was not closed", e);
      }
    }
  }

  private void accept(Consumer<Visitor> host) {
    while (!listener.isClosed()) {
      try {
        Socket socket = listener.accept();
        admit(socket).ifPresent(visitor -> threads.execute(() -> serve(visitor, host)));
      } catch (IOException e) {
        pause(e);
      }
    }
  }

  private void serve(Visitor visitor, Consumer<Visitor> host) {
    try {
      host.accept(visitor);
    } finally {
      leave(visitor);
    }
  }

  /** Where descriptors are used up, some come back in time. */
  private void pause(IOException why) {
    if (!listener.isClosed()) {
      LOG.log(System.Logger.Level.WARNING, "no connection can be accepted: " + why.getMessage());
      try {
        Thread.sleep(PAUSE);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private synchronized Optional<Visitor> admit(Socket socket) throws IOException {
    Visitor visitor = new Visitor(socket);
    if (listener.isClosed() || !hasRoom(visitor.block)) {
      visitor.drop();
      return Optional.empty();
    }
    socket.setSendBufferSize(SEND_BYTES);
    socket.setTcpNoDelay(true);
    visitors.add(visitor);
    return Optional.of(visitor);
  }

  private boolean hasRoom(AddressBlock block) {
    List<Visitor> same = of(block);
    if (same.size() >= MOST_OF_ADDRESS) {
      return dropOldest(same);
    }
    List<Visitor> strangers = strangers();
    return strangers.size() < MOST || dropOldest(strangers);
  }

  /** Drops the one that is waited for longest; false if none is waited for. */
  private boolean dropOldest(List<Visitor> among) {
    Optional<Visitor> oldest =
        among.stream()
            .filter(visitor -> !visitor.works)
            .min(Comparator.comparingLong(visitor -> visitor.since - nanos.getAsLong()));
    oldest.ifPresent(this::leave);
    return oldest.isPresent();
  }

  private List<Visitor> of(AddressBlock block) {
    return strangers().stream().filter(visitor -> visitor.block.equals(block)).toList();
  }

  private List<Visitor> strangers() {
    return visitors.stream().filter(visitor -> visitor.known.isEmpty()).toList();
  }

  /** Those of the same known client. */
  private List<Visitor> of(Visitor known) {
    return visitors.stream().filter(visitor -> visitor.known.equals(known.known)).toList();
  }

  private static long atWork(Iterable<Visitor> among) {
    long count = 0;
    for (Visitor visitor : among) {
      count += visitor.works ? 1 : 0;
    }
    return count;
  }

  private synchronized void leave(Visitor visitor) {
    visitors.remove(visitor);
    visitor.drop();
  }

  /** Drops those that are waited for too long; to be called now and then. */
  public synchronized void dropLate() {
    long now = nanos.getAsLong();
    visitors.stream().filter(visitor -> visitor.isOver(now)).toList().forEach(this::leave);
  }

  public InetSocketAddress address() {
    return (InetSocketAddress) listener.getLocalSocketAddress();
  }

  @Override
  public void close() {
    try {
      listener.close();
      acceptor.join();
    } catch (IOException e) {
      LOG.log(System.Logger.Level.WARNING, "the interface's socket was not closed", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    synchronized (this) {
      List.copyOf(visitors).forEach(this::leave);
    }
    threads.close();
  }
}
