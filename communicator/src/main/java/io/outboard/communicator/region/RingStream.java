// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.region;

import io.outboard.communicator.posix.Descriptors;
import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.Processors;
import io.outboard.communicator.posix.Sockets;
import io.outboard.communicator.stream.ByteStream;
import io.outboard.communicator.stream.IdleStrategy;
import io.outboard.communicator.stream.KeptBytes;
import io.outboard.wire.Region;
import java.lang.foreign.Arena;

/**
 * Bytes over two rings in shared memory. The socket beside it carries descriptors of more shared
 * memory, and tells when the peer has gone.
 *
 * <p>A side that wants to sleep says so in its word, looks once more, and sleeps on the word; the
 * peer looks at the word after each step and wakes it ({@link Doorbell}). These accesses have one
 * order, so that one of the two sees the other.
 */
public final class RingStream implements ByteStream {
  /** A sleeping side looks so often whether the peer is still there. */
  private static final long CHECK_MS = 250;

  /**
   * A backend that nobody calls looks ever more rarely, because each look costs an idle session CPU
   * time; its process has a thread that sees at once when the client goes.
   */
  private static final long IDLE_CHECK_MS = 8_000;

  private final SharedMemory memory;
  private final int socket;
  private final RingReader in;
  private final RingWriter out;
  private final long waits;
  private final long othersWaits;
  private final IdleStrategy patience;
  private final Doorbell forData;
  private final Doorbell forRoom;
  private final Doorbell others;
  private final Doorbell beside;
  // Whether the memory and the socket are another stream's.
  private final boolean part;
  private final boolean isBackend;
  // Whether the client's processors are this side's, and it is told how many share them.
  private final boolean tells;
  private volatile boolean closed;
  // As the client has been told; the reader's.
  private int told;

  private RingStream(
      SharedMemory memory,
      int socket,
      RingReader in,
      RingWriter out,
      int waits,
      int theirs,
      long idleCheckMs,
      boolean part) {
    this.memory = memory;
    this.isBackend = waits == Region.BACKEND_WAITS;
    this.tells = isBackend && !memory.doorbells().isSlow();
    this.part = part;
    this.socket = socket;
    this.in = in;
    this.patience =
        memory.doorbells().isSlow()
            ? IdleStrategy.withFarMemory(in::ready)
            : IdleStrategy.withMemory(in::ready);
    this.out = out;
    this.waits = memory.address() + waits;
    this.othersWaits = memory.address() + theirs;
    this.forData = memory.doorbells().at(this.waits, CHECK_MS, idleCheckMs);
    this.forRoom = memory.doorbells().at(this.waits, CHECK_MS, CHECK_MS);
    this.beside = memory.doorbells().at(this.waits, CHECK_MS, CHECK_MS);
    this.others = memory.doorbells().at(othersWaits, CHECK_MS, CHECK_MS);
  }

  /** The backend's side; takes over both. */
  public static RingStream backend(SharedMemory memory, int socket) {
    return backend(memory, socket, false);
  }

  private static RingStream backend(SharedMemory memory, int socket, boolean part) {
    Rings rings = new Rings(memory);
    return new RingStream(
        memory,
        socket,
        rings.reader(rings.toBackend()),
        rings.writer(rings.toClient()),
        Region.BACKEND_WAITS,
        Region.CLIENT_WAITS,
        IDLE_CHECK_MS,
        part);
  }

  /** The client's side; takes over both. */
  public static RingStream client(SharedMemory memory, int socket) {
    return client(memory, socket, false);
  }

  private static RingStream client(SharedMemory memory, int socket, boolean part) {
    Rings rings = new Rings(memory);
    return new RingStream(
        memory,
        socket,
        rings.reader(rings.toClient()),
        rings.writer(rings.toBackend()),
        Region.CLIENT_WAITS,
        Region.BACKEND_WAITS,
        CHECK_MS,
        part);
  }

  @Override
  public long read(long address, long bytes) {
    long n = in.read(address, bytes);
    while (n == 0) {
      tellPrograms();
      boolean over = !patience.pays() && !sleep(Region.FOR_DATA);
      n = in.read(address, bytes);
      if (over) {
        return n;
      }
    }
    if (in.hasRoom()) {
      wake(Region.FOR_ROOM);
    }
    return n;
  }

  @Override
  public void attended(boolean on) {
    int unused = on ? Shared.set(waits, Region.FOR_DATA) : Shared.clear(waits, Region.FOR_DATA);
  }

  @Override
  public boolean attend() {
    boolean can = !memory.doorbells().isSlow();
    int word = Shared.getInt(waits);
    if (can && !ready()) {
      beside.sleep(word);
    }
    return can;
  }

  private void tellPrograms() {
    int now = tells ? Processors.programs() : told;
    if (now != told) {
      told = now;
      Shared.putInt(memory.address() + Region.PROGRAMS, now);
    }
  }

  @Override
  public boolean ready() {
    return closed || in.ready();
  }

  @Override
  public long write(long address, long bytes) {
    long n = writeNow(address, bytes);
    return n > 0 || awaitRoom() ? n : -Errno.EPIPE;
  }

  /**
   * Writes what there is room for, and does not wait.
   *
   * @return how many bytes, 0 where there is no room
   * @throws io.outboard.wire.ProtocolException if the peer broke the rules of the medium
   */
  public long writeNow(long address, long bytes) {
    long n = out.write(address, bytes);
    if (n > 0) {
      wake(Region.FOR_DATA);
    }
    return n;
  }

  /** Waits until there may be room, or for a time; false if the peer has gone. */
  public boolean awaitRoom() {
    return !closed && sleep(Region.FOR_ROOM);
  }

  /** The peer has hung up: what it writes from now on is not for this side. */
  public void hungUp() {
    in.endHere();
  }

  /**
   * Goes back to a stream, where the session outlives its connection. The socket has been shut
   * down, and nobody reads or writes; this side rings over it no more.
   *
   * @param kept gets all written bytes that the peer may lack
   */
  public void leave(KeptBytes kept) {
    memory.doorbells().leave();
    out.keep(kept);
  }

  /** Sleeps until it may be so, or for a time; false if the peer has gone. */
  private boolean sleep(int what) {
    int word = Shared.set(waits, what) | what;
    if (ready(what)) {
      return true;
    }
    if (!closed) {
      (what == Region.FOR_DATA ? forData : forRoom).sleep(word);
    }
    return !closed && (ready(what) || !gone());
  }

  private boolean ready(int what) {
    return what == Region.FOR_DATA ? in.ready() : out.ready();
  }

  private boolean gone() {
    return Posix.poll(socket, Posix.POLLRDHUP, 0) != 0;
  }

  private void wake(int what) {
    if ((Shared.getInt(othersWaits) & what) != 0 && (Shared.clear(othersWaits, what) & what) != 0) {
      others.ring();
    }
  }

  /** They come over the socket, each with a byte that says nothing. */
  @Override
  public int descriptor() {
    if ((Posix.poll(socket, Posix.POLLIN, 0) & Posix.POLLIN) == 0) {
      return -1;
    }
    try (Arena arena = Arena.ofConfined()) {
      int[] one = new int[1];
      int received = Descriptors.receive(socket, one, arena.allocate(1).address(), 1);
      return received == 1 ? one[0] : -1;
    }
  }

  @Override
  public int further() {
    return part ? 0 : memory.offer().slots();
  }

  /** The same side of the rings of a slot. */
  @Override
  public ByteStream further(int number) {
    SharedMemory slot = memory.slot(number);
    return isBackend ? backend(slot, socket, true) : client(slot, socket, true);
  }

  @Override
  public long arrived() {
    return in.written();
  }

  @Override
  public void shutdown() {
    closed = true;
    Sockets.shutdown(socket, Sockets.SHUT_RDWR);
    rouse(waits, forData);
    rouse(othersWaits, others);
  }

  private static void rouse(long word, Doorbell bell) {
    Shared.putInt(word, 0);
    bell.ring();
  }

  @Override
  public void close() {
    if (!part) {
      memory.close();
      Posix.close(socket);
    }
  }

  /** Where the parts of one ring are in this process. */
  private record Ring(long written, long read, long data) {}

  /** The rings of a region. */
  private record Rings(Ring toBackend, Ring toClient, long bytes) {
    Rings(SharedMemory memory) {
      this(memory.address(), memory.address() + memory.offer().head(), memory.offer().ringBytes());
    }

    private Rings(long base, long data, long bytes) {
      this(base, data - Region.HEAD, data, bytes);
    }

    private Rings(long base, long ofBackend, long data, long bytes) {
      this(
          new Ring(
              base + Region.TO_BACKEND + Region.WRITTEN,
              ofBackend + Region.TO_BACKEND + Region.READ,
              data),
          new Ring(
              ofBackend + Region.TO_CLIENT + Region.WRITTEN,
              base + Region.TO_CLIENT + Region.READ,
              data + bytes),
          bytes);
    }

    RingReader reader(Ring of) {
      return new RingReader(of.written, of.read, of.data, bytes);
    }

    RingWriter writer(Ring of) {
      return new RingWriter(of.written, of.read, of.data, bytes);
    }
  }
}
