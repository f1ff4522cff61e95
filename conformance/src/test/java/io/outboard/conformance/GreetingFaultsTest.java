// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.testkit.Amount;
import io.outboard.wire.Bytes;
import io.outboard.wire.Hello;
import io.outboard.wire.Message;
import io.outboard.wire.Refusal;
import io.outboard.wire.Token;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Clients that greet wrongly are turned away, and harm nobody. */
final class GreetingFaultsTest {
  @RegisterExtension static final Backend BACKEND = new Backend();

  /** Offsets in a Hello of what a backend must look at. */
  private static final int[] FIELDS = {0, 4, 8, 68, 72, 76};

  private final Random random = new Random(20261121);

  @Test
  void aStrangeVersionIsRefused() throws Exception {
    for (SocketAddress address : addresses()) {
      byte[] hello = hello();
      ByteBuffer.wrap(hello)
          .order(ByteOrder.LITTLE_ENDIAN)
          .putShort(8, (short) 77)
          .putShort(10, (short) 99);
      Refusal refusal = Refusal.decode(say(address, hello));
      assertEquals(Refusal.VERSION, refusal.code(), refusal::toString);
    }
  }

  @Test
  void aWrongTokenIsRefused() throws Exception {
    Map<String, String> variables = new HashMap<>(BACKEND.variables(BACKEND.tcp()));
    variables.put("OUTBOARD_TOKEN", Token.random().digits());
    List<String> command = List.of(Home.PROGRAMS.resolve("steady").toString(), "1");
    Program.Ended ended = Program.run(command, variables);
    assertEquals("error 46 cuInit(0)\n", ended.output(), ended::toString);
    assertEquals(1, ended.errors().lines().count(), ended::toString);
    assertTrue(ended.errors().contains("token"), ended::toString);
  }

  @Test
  void damagedGreetingsHarmNobody() throws Exception {
    Leftovers before = Leftovers.ofIdle(BACKEND);
    try (Steady other = Steady.start(BACKEND, BACKEND.endpoints().getFirst())) {
      other.awaitProgress();
      for (int i = 0; i < Amount.of(100, 20_000); i++) {
        say(addresses().get(i % 2), damaged(hello()));
      }
      other.awaitProgress();
      other.finish();
    }
    before.awaitSame();
  }

  private static List<SocketAddress> addresses() {
    int port = Integer.parseInt(BACKEND.tcp().replaceAll(".*:", ""));
    return List.of(
        UnixDomainSocketAddress.of(BACKEND.socket()),
        new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
  }

  private static byte[] hello() {
    Hello.Library library = new Hello.Library("cuda", 1, 1, Bytes.zero(Message.IDENTITY));
    return new Hello(
            Message.OLDEST,
            Message.VERSION,
            1,
            Bytes.zero(Message.IDENTITY),
            Bytes.random(Message.NONCE),
            0,
            List.of(library),
            new LinkedHashMap<>(),
            "a damaged client")
        .encode();
  }

  /** Never one that would be welcome: a worker would start, and end, for nothing. */
  private byte[] damaged(byte[] hello) {
    ByteBuffer bytes = ByteBuffer.wrap(hello).order(ByteOrder.LITTLE_ENDIAN);
    switch (random.nextInt(4)) {
      case 0 -> {
        return Arrays.copyOf(hello, random.nextInt(hello.length));
      }
      case 1 -> random.nextBytes(hello);
      case 2 -> bytes.putInt(4, random.nextInt());
      default -> bytes.putInt(FIELDS[random.nextInt(FIELDS.length)], random.nextInt());
    }
    return hello;
  }

  /** Says it, and that no more will come; returns what is answered. */
  private static byte[] say(SocketAddress address, byte[] bytes) throws IOException {
    try (SocketChannel channel = SocketChannel.open(address)) {
      if (address instanceof InetSocketAddress) {
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      }
      channel.write(ByteBuffer.wrap(bytes));
      channel.shutdownOutput();
      ByteBuffer answer = ByteBuffer.allocate(4096);
      while (channel.read(answer) > 0) {}
      return Arrays.copyOf(answer.array(), answer.position());
    } catch (IOException e) {
      // It hung up while we spoke.
      return new byte[0];
    }
  }
}
