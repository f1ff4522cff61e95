// SPDX-License-Identifier: Apache-2.0
package io.outboard.wire;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SequencedMap;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class MessageTest {
  private static final int SLOT_SHIFT = 16;
  private static final int SLOTS = 15 << SLOT_SHIFT;
  private static final int THREAD_SHIFT = 20;
  private static final int THREADS = 31 << THREAD_SHIFT;

  private static final int ROUNDS = 2_000;

  @Test
  void theHelloIsWrittenAsDrawn() {
    SequencedMap<String, String> environment = new LinkedHashMap<>();
    environment.put("CUDA_A", "1=2");
    Hello hello =
        new Hello(
            1,
            2,
            0x12345678,
            Bytes.zero(16),
            Bytes.of(filled(32, 0xab)),
            Hello.FLAG_REGIONS | 42 << 8,
            List.of(new Hello.Library("cuda", 3, 300, Bytes.of(filled(16, 0xcd)))),
            environment,
            "prog");
    String expected =
        "4f425444" // magic
            + "a8000000" // 168 bytes
            + "01000200"
            + "78563412"
            + "00".repeat(16)
            + "ab".repeat(32)
            + "012a0000"
            + "01000000"
            + "0b000000"
            + "04000000"
            + "63756461"
            + "00".repeat(20)
            + "03000000"
            + "2c010000"
            + "cd".repeat(16)
            + "00".repeat(16)
            + HexFormat.of().formatHex("CUDA_A=1=2\0".getBytes(US_ASCII))
            + "00".repeat(5)
            + "70726f67"
            + "00".repeat(4);
    assertEquals(expected, HexFormat.of().formatHex(hello.encode()));
    assertEquals(hello, Hello.decode(hello.encode()));
    assertEquals(42, hello.tag());
    assertTrue(hello.wantsRegion() && !hello.wantsLog());
  }

  @Test
  void aSlotSaysItsTagToo() {
    Bytes none = Bytes.zero(16);
    Bytes nonce = Bytes.zero(32);
    Hello anywhere = new Hello(1, 1, 7, none, nonce, 0, List.of(), new LinkedHashMap<>(), "prog");
    for (int number = 0; number < Slot.MOST; number++) {
      Hello hello = Hello.decode(anywhere.in(new Slot(number)).encode());
      assertEquals(new Slot(number), hello.slot().orElseThrow());
      assertEquals(number, hello.tag());
    }
    assertEquals(Optional.empty(), anywhere.slot());
  }

  /** A client that has other hosts' devices would get addresses that lie anywhere. */
  @Test
  void aSlotThatIsNoneIsRefused() {
    for (int number = Slot.MOST + 1; number <= SLOTS >>> SLOT_SHIFT; number++) {
      refused(number << SLOT_SHIFT);
    }
  }

  /** A client may have so many connections of threads, and no more. */
  @Test
  void aConnectionOfAThreadThatIsNoneIsRefused() {
    for (int number = Limits.THREAD_CONNECTIONS + 1; number <= THREADS >>> THREAD_SHIFT; number++) {
      refused(number << THREAD_SHIFT);
    }
  }

  private static void refused(int flags) {
    Hello hello =
        new Hello(
            1,
            1,
            7,
            Bytes.zero(16),
            Bytes.zero(32),
            flags,
            List.of(),
            new LinkedHashMap<>(),
            "prog");
    assertThrows(ProtocolException.class, () -> Hello.decode(hello.encode()));
  }

  @Test
  void theWelcomeIsWrittenAsDrawn() {
    BitSet calls = new BitSet();
    calls.set(1);
    calls.set(64);
    Welcome welcome =
        new Welcome(
            1,
            Bytes.of(filled(16, 1)),
            Bytes.of(filled(16, 2)),
            Bytes.of(filled(32, 3)),
            List.of(new Welcome.Library("toy", 9, 70, calls)));
    String expected =
        "4f425444"
            + "90000000"
            + "04000000"
            + "01000000"
            + "01".repeat(16)
            + "02".repeat(16)
            + "03".repeat(32)
            + "01000000"
            + "08000000"
            + "746f79"
            + "00".repeat(21)
            + "09000000"
            + "46000000"
            + "02000000"
            + "00000000"
            + "0200000000000000"
            + "0100000000000000";
    assertEquals(expected, HexFormat.of().formatHex(welcome.encode()));
    assertEquals(welcome, Answer.decode(welcome.encode()));
  }

  @Test
  void theWelcomesFlagsAreApart() {
    for (int flags = 0; flags < 8; flags++) {
      Welcome welcome =
          new Welcome(
              1,
              Bytes.zero(16),
              Bytes.zero(16),
              Bytes.zero(32),
              0,
              (flags & 1) != 0,
              (flags & 2) != 0,
              (flags & 4) != 0,
              List.of());
      assertEquals(8 | flags, welcome.encode()[84]);
      assertEquals(welcome, Welcome.decode(welcome.encode()));
    }
  }

  @Test
  void whatIsEncodedIsDecoded() {
    Random random = new Random(1);
    for (int i = 0; i < ROUNDS; i++) {
      Hello hello = hello(random);
      assertEquals(hello, Hello.decode(hello.encode()));
      Proof proof = new Proof(bytes(random, 32));
      assertEquals(proof, Proof.decode(proof.encode()));
      for (Answer answer : answers(random)) {
        assertEquals(answer, Answer.decode(answer.encode()));
        assertEquals(0, answer.encode().length % 8);
      }
    }
  }

  @Test
  void everyShorterMessageIsMalformed() {
    Random random = new Random(2);
    cut(hello(random).encode(), Hello::decode);
    cut(new Proof(bytes(random, 32)).encode(), Proof::decode);
    cut(new Challenge(bytes(random, 32)).encode(), Challenge::decode);
    cut(welcome(random).encode(), Welcome::decode);
  }

  private static void cut(byte[] whole, Function<byte[], ?> decode) {
    for (int bytes = 0; bytes < whole.length; bytes += 8) {
      byte[] cut = Arrays.copyOf(whole, bytes);
      assertThrows(ProtocolException.class, () -> decode.apply(cut), "the length says more");
      if (bytes >= 8) {
        ByteBuffer.wrap(cut).order(ByteOrder.LITTLE_ENDIAN).putInt(4, bytes);
        assertThrows(ProtocolException.class, () -> decode.apply(cut));
      }
    }
    byte[] longer = Arrays.copyOf(whole, whole.length + 8);
    ByteBuffer.wrap(longer).order(ByteOrder.LITTLE_ENDIAN).putInt(4, longer.length);
    assertThrows(ProtocolException.class, () -> decode.apply(longer));
  }

  @Test
  void damagedMessagesAreReadOrMalformedAndNothingElse() {
    Random random = new Random(3);
    int malformed = 0;
    for (int i = 0; i < 20 * ROUNDS; i++) {
      byte[] hello = damaged(random, hello(random).encode());
      byte[] answer = damaged(random, answers(random).get(i % 3).encode());
      malformed += isMalformed(hello, Hello::decode) ? 1 : 0;
      malformed += isMalformed(answer, Answer::decode) ? 1 : 0;
    }
    assertTrue(malformed > ROUNDS, malformed + " malformed ones");
  }

  private static boolean isMalformed(byte[] message, Function<byte[], ?> decode) {
    try {
      return decode.apply(message) == null;
    } catch (ProtocolException e) {
      return true;
    }
  }

  private static byte[] damaged(Random random, byte[] message) {
    int changes = 1 + random.nextInt(4);
    ByteBuffer bytes = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
    int[] interesting = {0, -1, Integer.MAX_VALUE, Integer.MIN_VALUE, 1 << 16, 8};
    for (int i = 0; i < changes; i++) {
      if (random.nextBoolean()) {
        message[random.nextInt(message.length)] ^= (byte) (1 << random.nextInt(8));
      } else {
        int word = 2 + random.nextInt(message.length / 4 - 2);
        bytes.putInt(4 * word, interesting[random.nextInt(interesting.length)]);
      }
    }
    return message;
  }

  @Test
  void hugeCountsAreRefusedBeforeAnythingIsAllocated() {
    byte[] message = hello(new Random(4)).encode();
    for (int offset : new int[] {68, 72, 76}) {
      byte[] huge = message.clone();
      ByteBuffer.wrap(huge).order(ByteOrder.LITTLE_ENDIAN).putInt(offset, Integer.MAX_VALUE);
      assertThrows(ProtocolException.class, () -> Hello.decode(huge));
    }
  }

  @Test
  void headersAreChecked() {
    assertEquals(16, Message.length(header(Message.MAGIC, 16)));
    assertThrows(ProtocolException.class, () -> Message.length(header(0x20544547, 16)));
    for (int length : new int[] {-8, 0, 8, 17, 20, Limits.HANDSHAKE + 8, Integer.MIN_VALUE}) {
      byte[] header = header(Message.MAGIC, length);
      assertThrows(ProtocolException.class, () -> Message.length(header), "length " + length);
    }
    assertThrows(ProtocolException.class, () -> Message.length(new byte[7]));
  }

  private static byte[] header(int magic, int length) {
    return ByteBuffer.allocate(8)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(magic)
        .putInt(length)
        .array();
  }

  @Test
  void theHighestCommonVersionIsSpoken() {
    assertEquals(1, versions(1, 1).version());
    assertEquals(1, versions(1, 9).version());
    assertEquals(0, versions(2, 9).version());
    byte[] none = versions(2, 1).encode();
    assertThrows(ProtocolException.class, () -> Hello.decode(none));
  }

  private static Hello versions(int lowest, int highest) {
    return new Hello(
        lowest,
        highest,
        1,
        Bytes.zero(16),
        Bytes.zero(32),
        0,
        List.of(),
        new LinkedHashMap<>(),
        "p");
  }

  @Test
  void aRefusalCannotSteerATerminal() {
    Refusal refusal = new Refusal(Refusal.TOKEN, "no\u001b[2Jway\n");
    assertEquals(new Refusal(2, "no?[2Jway?"), Answer.decode(refusal.encode()));
  }

  @Test
  void aCallAboveTheLevelIsMalformed() {
    BitSet calls = new BitSet();
    calls.set(5);
    byte[] message =
        new Welcome(
                1,
                Bytes.zero(16),
                Bytes.zero(16),
                Bytes.zero(32),
                List.of(new Welcome.Library("toy", 1, 5, calls)))
            .encode();
    Welcome.decode(message);
    message[8 + 8 + 64 + 8 + 24 + 4] = 4;
    assertThrows(ProtocolException.class, () -> Welcome.decode(message));
  }

  @Test
  void messagesAndNamesThatAreTooLongAreTheCallersFault() {
    String longName = "n".repeat(24);
    var library = new Hello.Library(longName, 1, 1, Bytes.zero(16));
    Hello hello =
        new Hello(
            1,
            1,
            1,
            Bytes.zero(16),
            Bytes.zero(32),
            0,
            List.of(library),
            new LinkedHashMap<>(),
            "p");
    assertThrows(IllegalArgumentException.class, hello::encode);
    Refusal refusal = new Refusal(1, "x".repeat(Limits.HANDSHAKE));
    assertThrows(IllegalArgumentException.class, refusal::encode);
    assertThrows(IllegalArgumentException.class, () -> new Proof(Bytes.zero(31)));
  }

  @Test
  void bytesDoNotShowThemselves() {
    Bytes secret = Bytes.of((byte) 0x7f, (byte) 1);
    assertEquals("[2 bytes]", secret.toString());
    assertEquals("7f01", secret.hex());
    assertArrayEquals(new byte[] {0x7f, 1}, secret.toArray());
    assertTrue(Bytes.zero(4).isZero());
    assertFalse(secret.isZero());
    assertFalse(Bytes.random(16).equals(Bytes.random(16)));
  }

  private static Hello hello(Random random) {
    List<Hello.Library> libraries = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      libraries.add(
          new Hello.Library(name(random, 23), i, random.nextInt(1 << 16), bytes(random, 16)));
    }
    SequencedMap<String, String> environment = new LinkedHashMap<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      environment.put("CUDA_" + name(random, 10), random.nextBoolean() ? "" : name(random, 90));
    }
    int highest = 1 + random.nextInt(3);
    return new Hello(
        1 + random.nextInt(highest),
        highest,
        random.nextInt(),
        bytes(random, 16),
        bytes(random, 32),
        flags(random),
        libraries,
        environment,
        name(random, 200) + "é");
  }

  private static int flags(Random random) {
    int others = random.nextInt() & ~SLOTS & ~THREADS;
    int slot = random.nextInt(Slot.MOST + 1) << SLOT_SHIFT;
    return others | slot | random.nextInt(Limits.THREAD_CONNECTIONS + 1) << THREAD_SHIFT;
  }

  private static List<Answer> answers(Random random) {
    return List.of(
        new Challenge(bytes(random, 32)),
        welcome(random),
        new Refusal(random.nextInt(9), name(random, 99)));
  }

  private static Welcome welcome(Random random) {
    List<Welcome.Library> libraries = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      int level = random.nextInt(1000);
      BitSet calls = new BitSet();
      for (int j = 0; j < 20; j++) {
        calls.set(random.nextInt(level + 1));
      }
      libraries.add(new Welcome.Library(name(random, 23), i, level, calls));
    }
    return new Welcome(1, bytes(random, 16), bytes(random, 16), bytes(random, 32), libraries);
  }

  private static Bytes bytes(Random random, int count) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return Bytes.of(bytes);
  }

  private static byte[] filled(int count, int value) {
    byte[] bytes = new byte[count];
    Arrays.fill(bytes, (byte) value);
    return bytes;
  }

  private static String name(Random random, int longest) {
    StringBuilder name = new StringBuilder();
    for (int i = random.nextInt(longest); i >= 0; i--) {
      name.append((char) ('a' + random.nextInt(26)));
    }
    return name.toString();
  }
}
