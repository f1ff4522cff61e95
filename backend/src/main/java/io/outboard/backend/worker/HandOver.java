// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.worker;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.outboard.backend.library.Allotment;
import io.outboard.backend.library.JoinedHost;
import io.outboard.communicator.posix.Descriptors;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.region.GuestMemory;
import io.outboard.wire.Answer;
import io.outboard.wire.Bytes;
import io.outboard.wire.Hello;
import io.outboard.wire.Message;
import io.outboard.wire.Native;
import io.outboard.wire.Slot;
import io.outboard.wire.Token;
import io.outboard.wire.Welcome;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A client that the daemon hands to a worker: its descriptor, the shared page, what the client
 * said, the proof that the Welcome is to carry, and the session's identity.
 *
 * @param client the connection
 * @param page the shared page
 * @param hello what the client said
 * @param proof zero where there was no challenge
 * @param identity by which the daemon finds the session for a further connection of the client;
 *     zero where nobody passes any on
 * @param secret what the client needs to come back once it has lost its connection
 * @param graceSeconds how long it may take for that; 0 where the session ends with the connection
 * @param allotment what the session gets
 * @param succession what the worker outlives the daemon with; none where it ends with it
 * @param regions the scheme of the communicator that has regions of its own, or empty
 * @param part of memory that this machine shares with the guest that the client is in
 * @param others the other hosts whose devices it gets too
 * @param nativeCode whether the session may bring code to the machine's processors
 */
public record HandOver(
    int client,
    int page,
    Hello hello,
    Bytes proof,
    Bytes identity,
    Bytes secret,
    int graceSeconds,
    Allotment allotment,
    Optional<Succession> succession,
    String regions,
    Optional<GuestMemory.Part> part,
    OtherHosts others,
    boolean nativeCode) {
  /**
   * Of what the client said and of the devices' text; the place in the quota's page; percent;
   * seconds; the length of the path of the succession, and that of the scheme's text; the number of
   * other hosts; where the part of a guest's memory begins, and whether the guest never moves;
   * whether there may be native code.
   */
  private static final int LENGTH = 56;

  private static final int GPUS = 8;
  private static final int SLOT = 12;
  private static final int PERCENT = 16;
  private static final int GRACE = 20;
  private static final int PATH = 24;
  private static final int REGIONS = 28;
  private static final int JOINED = 32;
  private static final int FIXED = 36;
  private static final int PART = 40;
  private static final int NATIVE_CODE = 48;
  private static final long NO_PART = -1;
  private static final int MOST_DESCRIPTORS = 6;

  /** Of another host: the slot, the bytes of its name and of its Welcome. */
  private static final int HOST = 12;

  /** Sends it over the daemon's connection to the worker. */
  public void send(int worker) throws IOException {
    byte[] said = hello.encode();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment length = arena.allocate(LENGTH);
      byte[] gpus = allotment.gpusAsText().getBytes(US_ASCII);
      byte[] path = succession.map(Succession::path).orElse("").getBytes(UTF_8);
      byte[] scheme = regions.getBytes(US_ASCII);
      Native.putLong(length.address(), said.length);
      Native.putInt(length.address() + GPUS, gpus.length);
      Native.putInt(length.address() + SLOT, allotment.slot());
      Native.putInt(length.address() + PERCENT, allotment.percent());
      Native.putInt(length.address() + GRACE, graceSeconds);
      Native.putInt(length.address() + PATH, path.length);
      Native.putInt(length.address() + REGIONS, scheme.length);
      Native.putInt(length.address() + JOINED, others.hosts().size());
      Native.putLong(length.address() + PART, part.map(GuestMemory.Part::offset).orElse(NO_PART));
      Native.putInt(
          length.address() + FIXED, part.filter(GuestMemory.Part::fixed).isPresent() ? 1 : 0);
      Native.putInt(length.address() + NATIVE_CODE, nativeCode ? 1 : 0);
      check(Descriptors.send(worker, descriptors(), length.address(), LENGTH), LENGTH);
      transfer(arena, worker, proof.toArray());
      transfer(arena, worker, identity.toArray());
      transfer(arena, worker, secret.toArray());
      transfer(arena, worker, said);
      transfer(arena, worker, gpus);
      if (succession.isPresent()) {
        transfer(arena, worker, path);
        transfer(arena, worker, succession.get().key().digits().getBytes(US_ASCII));
      }
      transfer(arena, worker, scheme);
      send(arena, worker, others);
    }
  }

  private static void send(Arena arena, int worker, OtherHosts others) throws IOException {
    for (JoinedHost host : others.hosts()) {
      send(arena, worker, host);
    }
    if (!others.hosts().isEmpty()) {
      int[] requests = {others.requests()};
      check(Descriptors.send(worker, requests, arena.allocate(1).address(), 1), 1);
    }
  }

  private static void send(Arena arena, int worker, JoinedHost host) throws IOException {
    byte[] name = host.name().getBytes(US_ASCII);
    byte[] welcome = host.welcome().encode();
    MemorySegment head = arena.allocate(HOST);
    Native.putInt(head.address(), host.slot().number());
    Native.putInt(head.address() + 4, name.length);
    Native.putInt(head.address() + 8, welcome.length);
    check(Descriptors.send(worker, new int[] {host.socket()}, head.address(), HOST), HOST);
    transfer(arena, worker, name);
    transfer(arena, worker, welcome);
  }

  private static JoinedHost receiveHost(Arena arena, int daemon) throws IOException {
    MemorySegment head = arena.allocate(HOST);
    int[] socket = new int[1];
    check(Descriptors.receive(daemon, socket, head.address(), HOST), HOST);
    Slot slot = new Slot(Native.getInt(head.address()));
    String name = new String(read(arena, daemon, Native.getInt(head.address() + 4)), US_ASCII);
    byte[] said = read(arena, daemon, Native.getInt(head.address() + 8));
    return new JoinedHost(slot, name, socket[0], (Welcome) Answer.decode(said));
  }

  private int[] descriptors() {
    IntStream all = IntStream.of(client, page);
    if (succession.isPresent()) {
      all = IntStream.concat(all, IntStream.of(succession.get().socket()));
    }
    if (part.isPresent()) {
      all = IntStream.concat(all, IntStream.of(part.get().descriptor()));
    }
    if (allotment.isLimited()) {
      all = IntStream.concat(all, IntStream.of(allotment.page()));
    }
    if (allotment.isShared()) {
      all = IntStream.concat(all, IntStream.of(allotment.events()));
    }
    return all.toArray();
  }

  /** The purpose of a descriptor that follows the hand-over. */
  public enum Purpose {
    /** One more connection of the client, for bulk data. */
    BULK(0),
    /** The daemon gives orders over it (see {@link SessionOrders}). */
    ORDERS(1),
    /** The client's connection in the place of the one that it has lost. */
    RETURN(2),
    /** The worker asks for connections to other hosts over it (see {@link HostRequest}). */
    REQUESTS(3),
    /** Another host copies to this one over it. */
    LINK_FROM(4),
    /** This host copies over it to another one. */
    LINK_TO(5),
    /** One more connection of the client, for the calls of one of its threads. */
    CALLS(6),
    /** The client's connection in the place of such a one. */
    CALLS_RETURN(7);

    private final int code;

    Purpose(int code) {
      this.code = code;
    }

    private static Purpose of(int code) {
      for (Purpose purpose : values()) {
        if (purpose.code == code) {
          return purpose;
        }
      }
      throw new IllegalArgumentException("a descriptor for " + code);
    }
  }

  /**
   * A descriptor that follows the hand-over.
   *
   * @param number the slot of the host that a link goes to, or which connection of a thread it is,
   *     else 0
   */
  public record Further(Purpose purpose, int number, int descriptor) {
    /** Of a byte the lower half is the purpose, and the upper half the number. */
    private static final int NUMBER_SHIFT = 4;

    private static final int LOW = (1 << NUMBER_SHIFT) - 1;

    /** Those of which there is one of a purpose. */
    public static Further of(Purpose purpose, int descriptor) {
      return new Further(purpose, 0, descriptor);
    }

    /** A link to the host of a slot. */
    public static Further link(Slot slot, int descriptor) {
      return new Further(Purpose.LINK_TO, slot.number(), descriptor);
    }

    static Further decode(byte said, int descriptor) {
      int both = Byte.toUnsignedInt(said);
      return new Further(Purpose.of(both & LOW), both >>> NUMBER_SHIFT, descriptor);
    }

    byte encode() {
      return (byte) (purpose.code | number << NUMBER_SHIFT);
    }
  }

  /** Sends a descriptor, after the hand-over. */
  public static void sendMore(int worker, Further more) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment purpose = arena.allocate(1);
      Native.putByte(purpose.address(), more.encode());
      check(Descriptors.send(worker, new int[] {more.descriptor()}, purpose.address(), 1), 1);
    }
  }

  /** Waits for one more descriptor; none if the daemon has gone. */
  static Optional<Further> receiveMore(int daemon) {
    try (Arena arena = Arena.ofConfined()) {
      int[] descriptor = new int[1];
      MemorySegment purpose = arena.allocate(1);
      int n = Descriptors.receive(daemon, descriptor, purpose.address(), 1);
      return n == 1 && descriptor[0] >= 0
          ? Optional.of(Further.decode(Native.getByte(purpose.address()), descriptor[0]))
          : Optional.empty();
    }
  }

  private static void transfer(Arena arena, int worker, byte[] bytes) throws IOException {
    MemorySegment memory = arena.allocate(bytes.length);
    memory.copyFrom(MemorySegment.ofArray(bytes));
    check(Posix.writeAll(worker, memory.address(), bytes.length), 0);
  }

  /** Waits for one; null if the daemon has gone. */
  static HandOver receive(int daemon) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment length = arena.allocate(LENGTH);
      int[] descriptors = new int[MOST_DESCRIPTORS];
      int n = Descriptors.receive(daemon, descriptors, length.address(), LENGTH);
      if (n == 0) {
        return null;
      }
      check(n, LENGTH);
      Bytes proof = Bytes.of(read(arena, daemon, Message.NONCE));
      Bytes identity = Bytes.of(read(arena, daemon, Message.IDENTITY));
      Bytes secret = Bytes.of(read(arena, daemon, Message.IDENTITY));
      Hello hello =
          Hello.decode(read(arena, daemon, Math.toIntExact(Native.getLong(length.address()))));
      int gpus = Native.getInt(length.address() + GPUS);
      String devices = new String(read(arena, daemon, gpus), US_ASCII);
      int path = Native.getInt(length.address() + PATH);
      long offset = Native.getLong(length.address() + PART);
      boolean fixed = Native.getInt(length.address() + FIXED) != 0;
      int further = path > 0 ? 3 : 2;
      Optional<GuestMemory.Part> part =
          offset == NO_PART
              ? Optional.empty()
              : Optional.of(new GuestMemory.Part(descriptors[further], offset, fixed));
      int shared = part.isPresent() ? further + 1 : further;
      Allotment allotment =
          new Allotment(
              Allotment.gpus(devices),
              descriptors[shared],
              Native.getInt(length.address() + SLOT),
              descriptors[shared + 1],
              Native.getInt(length.address() + PERCENT));
      int graceSeconds = Native.getInt(length.address() + GRACE);
      Optional<Succession> succession =
          path > 0
              ? Optional.of(succession(arena, daemon, descriptors[2], path))
              : Optional.empty();
      int scheme = Native.getInt(length.address() + REGIONS);
      String regions = new String(read(arena, daemon, scheme), US_ASCII);
      OtherHosts others = others(arena, daemon, Native.getInt(length.address() + JOINED));
      return new HandOver(
          descriptors[0],
          descriptors[1],
          hello,
          proof,
          identity,
          secret,
          graceSeconds,
          allotment,
          succession,
          regions,
          part,
          others,
          Native.getInt(length.address() + NATIVE_CODE) == 1);
    }
  }

  private static OtherHosts others(Arena arena, int daemon, int count) throws IOException {
    if (count == 0) {
      return OtherHosts.NONE;
    }
    List<JoinedHost> hosts = new ArrayList<>();
    while (hosts.size() < count) {
      hosts.add(receiveHost(arena, daemon));
    }
    int[] requests = new int[1];
    check(Descriptors.receive(daemon, requests, arena.allocate(1).address(), 1), 1);
    return new OtherHosts(hosts, requests[0]);
  }

  private static Succession succession(Arena arena, int daemon, int socket, int path)
      throws IOException {
    String place = new String(read(arena, daemon, path), UTF_8);
    String key = new String(read(arena, daemon, Token.DIGITS), US_ASCII);
    return new Succession(socket, Token.parse(key), place);
  }

  private static byte[] read(Arena arena, int daemon, int bytes) throws IOException {
    MemorySegment memory = arena.allocate(bytes);
    for (long done = 0; done < bytes; ) {
      long n = Posix.read(daemon, memory.address() + done, bytes - done);
      check(n, 1);
      done += n;
    }
    return memory.toArray(JAVA_BYTE);
  }

  private static void check(long n, long least) throws IOException {
    if (n < least) {
      throw new IOException("the other process has gone (" + n + ")");
    }
  }
}
