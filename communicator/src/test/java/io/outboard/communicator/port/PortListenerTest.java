// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.port;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.communicator.Endpoint;
import io.outboard.communicator.Listener;
import io.outboard.communicator.Listening;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.Sockets;
import io.outboard.patience.Patience;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The host's side of a port, whose guest breaks the rules. Accepted bytes are sent back. */
final class PortListenerTest {
  private static final byte[] MARK = "outboard's port\0".getBytes(StandardCharsets.US_ASCII);
  private static final int OPENS = 10_000;
  private static final int ROUND = 4;

  @TempDir private Path folder;
  private ServerSocketChannel hypervisor;
  private Listener listener;
  private SocketChannel port;
  private InputStream fromHost;

  // The guest's nonce, and what it has heard of the host's.
  private volatile long own;
  private long other;

  @BeforeEach
  void boot() throws IOException {
    Path path = folder.resolve("port");
    hypervisor = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    hypervisor.bind(UnixDomainSocketAddress.of(path));
    listener = new VirtioCommunicator().listen(Endpoint.parse("virtio:" + path), Listening.PLAIN);
    port = hypervisor.accept();
    fromHost = new BufferedInputStream(Channels.newInputStream(port));
    Thread.ofPlatform().daemon().start(this::serve);
  }

  @AfterEach
  void switchOff() throws IOException {
    listener.close();
    port.close();
    hypervisor.close();
  }

  private void serve() {
    try {
      for (int one = listener.accept(); one != Listener.CLOSED; one = listener.accept()) {
        int client = one;
        Thread.ofVirtual().start(() -> echo(client));
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void echo(int client) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment room = arena.allocate(50_000);
      for (long n = 1; n > 0; ) {
        n = Posix.read(client, room.address(), room.byteSize());
        if (n > 0 && Posix.writeAll(client, room.address(), n) != 0) {
          break;
        }
      }
      Sockets.shutdown(client, Sockets.SHUT_WR);
    } finally {
      Posix.close(client);
    }
  }

  // ---- an honest guest

  private static ByteBuffer words(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private void send(ByteBuffer bytes) throws IOException {
    bytes.flip();
    while (bytes.hasRemaining()) {
      port.write(bytes);
    }
  }

  private ByteBuffer receive(int bytes) throws IOException {
    byte[] got = fromHost.readNBytes(bytes);
    if (got.length < bytes) {
      throw new EOFException();
    }
    return ByteBuffer.wrap(got).order(ByteOrder.LITTLE_ENDIAN);
  }

  private ByteBuffer greeting(long heard) {
    return words(48).put(MARK).putInt(1).putInt(0).putLong(own).putLong(heard).putLong(0);
  }

  private ByteBuffer frame(int kind, int channel, int bytes, byte[] body) {
    int padded = (body.length + 7) & ~7;
    ByteBuffer frame = words(16 + padded + 8);
    frame.putInt(kind).putInt(channel).putInt(bytes).putInt(0).put(body);
    return frame.position(16 + padded).putLong(other);
  }

  private ByteBuffer frame(int kind, int channel) {
    return frame(kind, channel, 0, new byte[0]);
  }

  /** Reads on until the host has heard of this nonce; then an epoch stands. */
  private void shakeHands(long nonce) throws IOException {
    own = nonce;
    send(greeting(0));
    awaitGreeting();
  }

  private void awaitGreeting() throws IOException {
    ByteBuffer seen = receive(48);
    while (!isMark(seen) || seen.getLong(32) != own) {
      ByteBuffer next = words(48).put(seen.position(1)).put(receive(1)).flip();
      seen = next;
    }
    other = seen.getLong(24);
    send(greeting(other));
  }

  private static boolean isMark(ByteBuffer bytes) {
    return bytes.slice(0, MARK.length).equals(ByteBuffer.wrap(MARK));
  }

  private int receiveFrame(ByteBuffer header) throws IOException {
    header.clear().put(receive(16)).flip();
    if (isMark(header)) {
      receive(32);
      return receiveFrame(header);
    }
    return header.getInt(0);
  }

  /** A channel over which so many bytes go there and come back. */
  private void exchange(int channel, int bytes, Random random) throws IOException {
    byte[] data = new byte[bytes];
    random.nextBytes(data);
    send(frame(1, channel));
    send(frame(2, channel, bytes, data));
    send(frame(4, channel));
    ByteBuffer back = ByteBuffer.allocate(bytes);
    ByteBuffer header = words(16);
    for (int kind = receiveFrame(header); kind == 2 || kind == 3; kind = receiveFrame(header)) {
      assertEquals(channel, header.getInt(4));
      int body = kind == 2 ? header.getInt(8) : 0;
      ByteBuffer got = receive((body + 7) & ~7);
      assertEquals(own, receive(8).getLong());
      back.put(got.limit(body));
    }
    assertTrue(header.getInt(0) == 4 || header.getInt(0) == 5, "kind " + header.getInt(0));
    assertEquals(own, receive(8).getLong());
    assertArrayEquals(data, back.array());
  }

  private static int descriptors() {
    return new File("/proc/self/fd").list().length;
  }

  @Test
  void bytesGoBothWays() throws IOException {
    shakeHands(4711);
    for (int i = 1; i < 20; i++) {
      exchange(i, 1 + i * 3_000, new Random(i));
    }
  }

  @Test
  void noEpochBeginsWithAnOldGreeting() throws IOException {
    own = 1;
    send(greeting(99));
    send(words(70_000).position(70_000));
    shakeHands(2);
    exchange(1, 1_000, new Random(1));
  }

  /** A process that has gone in the middle of a frame; another one follows, as a companion does. */
  @Test
  void halfAFrameIsNobodys() throws IOException {
    shakeHands(7);
    send(frame(1, 1));
    byte[] data = new byte[60_000];
    ByteBuffer half = frame(2, 1, data.length, data);
    send(half.position(30_000));
    send(words(65_560).position(65_560));
    shakeHands(8);
    exchange(1, 5_000, new Random(2));
  }

  @Test
  void moreChannelsThanThereAreAreRefused() throws Exception {
    final int before = descriptors();
    shakeHands(3);
    Thread opener = opener(false);
    ByteBuffer header = words(16);
    for (int refused = 0; refused < OPENS - PortListener.CHANNELS; refused++) {
      assertEquals(5, receiveFrame(header));
      receive(8);
    }
    join(opener);
    assertTrue(descriptors() < before + 3 * PortListener.CHANNELS, "descriptors");
    shakeHands(4);
    awaitAsFew(before);
    exchange(1, 1_000, new Random(3));
  }

  /** Opens many channels; or opens and closes them, and then begins another epoch. */
  private Thread opener(boolean closes) {
    return Thread.ofPlatform()
        .start(
            () -> {
              try {
                for (int i = 1; i <= OPENS; i++) {
                  send(frame(1, i));
                  if (closes) {
                    send(frame(5, i));
                  }
                }
                if (closes) {
                  send(greeting(0));
                }
              } catch (IOException e) {
                throw new IllegalStateException(e);
              }
            });
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Channels that are opened and closed faster than anybody accepts them are bounded too. */
  @Test
  void openingAndClosingIsBounded() throws Exception {
    final int before = descriptors();
    shakeHands(5);
    Thread opener = opener(true);
    own = 6;
    awaitGreeting();
    join(opener);
    assertTrue(descriptors() < before + 3 * PortListener.CHANNELS, "descriptors");
    awaitAsFew(before);
    exchange(1, 1_000, new Random(3));
  }

  /** Every field of every kind, and bytes that are none; afterwards an honest guest is served. */
  @Test
  void aHostileGuestDoesNoHarm() throws Exception {
    Random random = new Random(20261125);
    final int before = descriptors();
    int cases = System.getProperty("long") != null ? 100_000 : 3_000;
    for (int done = 0; done < cases; done += ROUND) {
      send(words(65_560).position(65_560));
      shakeHands(1 + random.nextLong(Long.MAX_VALUE - 1));
      exchange(1, 1 + random.nextInt(1_000), random);
      for (int i = 0; i < ROUND; i++) {
        send(mutated(random));
      }
    }
    send(words(65_560).position(65_560));
    shakeHands(9);
    exchange(1, 1_000, random);
    awaitAsFew(before);
  }

  /** Until all that was opened has been accepted, and has ended. */
  private static void awaitAsFew(int before) throws InterruptedException {
    Patience.until(
        () -> before + " descriptors, then " + descriptors(), () -> descriptors() <= before + 20);
  }

  private ByteBuffer mutated(Random random) {
    byte[] body = new byte[random.nextInt(4) == 0 ? random.nextInt(3_000) : 0];
    random.nextBytes(body);
    int kind = 1 + random.nextInt(5);
    int bytes = kind == 3 ? 1 + random.nextInt(1_000) : body.length;
    ByteBuffer frame =
        random.nextInt(8) == 0
            ? greeting(random.nextBoolean() ? other : random.nextLong())
            : frame(kind, 1 + random.nextInt(6), kind == 2 || kind == 3 ? bytes : 0, body);
    int length = frame.position();
    switch (random.nextInt(5)) {
      case 0 -> frame.put(random.nextInt(length), (byte) random.nextInt());
      case 1 -> frame.putInt(4 * random.nextInt(4), random.nextInt());
      case 2 -> frame.putInt(4 * random.nextInt(4), 1 << random.nextInt(32));
      case 3 -> frame.position(random.nextInt(length));
      default -> frame.position(length);
    }
    return frame;
  }
}
