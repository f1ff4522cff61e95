// SPDX-License-Identifier: Apache-2.0
package io.outboard.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.wire.Limits;
import io.outboard.wire.Native;
import io.outboard.wire.ProtocolException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Bodies that no client of ours sends. Body, payload and answer end at a page that kills the
 * process when it is touched, so that a test that ends has seen no access past the end.
 */
class ToyHostileTest {
  private static final byte[] NOTHING = {};
  private static final int ROUNDS = 200_000;

  private final ToySession session = ToyClient.JVM.session();
  private final List<Sample> samples = new ArrayList<>();

  private record Sample(int call, byte[] body, byte[] payload) {}

  /** One well-formed body of each call, and a few of those with many parts. */
  ToyHostileTest() {
    long memory = ToySession.memory(4096);
    Native.fill(memory, 4096, (byte) 0);
    long buffer = session.buffer(64);
    Toy toy = session.toy;
    long device = ToySession.memory(8);
    toy.toyBufferAddress(buffer, device);
    keep(2, toy.toyAdd((byte) 1, (short) 2, 3, 4, 5, 6, memory));
    keep(3, toy.toyWriteScalars(memory, memory, memory, memory, memory, memory));
    keep(4, toy.toyReadScalars(memory, memory, memory, memory, memory, memory, memory));
    keep(5, toy.toyDouble(memory, memory, 5));
    keep(6, toy.toySum(memory, 7, memory));
    keep(7, toy.toyFill(memory, 3, (short) 4));
    keep(8, toy.toyBytes(memory, memory + 64, 11, 2));
    keep(9, toy.toyNumbers(ToySession.ints(3), memory));
    keep(10, toy.toyLength(ToySession.text("four"), memory));
    keep(11, toy.toyName(memory + 64, 20));
    keep(12, toy.toyCapitals(ToySession.text("word"), memory + 64, 9, memory));
    keep(13, toy.toyFlip(memory + 64, 9));
    keep(15, toy.toyImage(ToySession.ints(0, 0, 0), 12));
    keep(20, toy.toyBufferCreate(memory, 16));
    keep(21, toy.toyBufferSize(buffer, memory));
    keep(24, toy.toyNode(memory, buffer, 2));
    keep(25, toy.toyNodes(memory, 4, buffer));
    keep(26, toy.toyMeasure(ToySession.longs(buffer, buffer), 2, memory));
    keep(27, toy.toyNext(ToySession.longs(session.node(buffer, 0))));
    keep(28, toy.toyNextAll(ToySession.longs(session.node(buffer, 0)), 1));
    keep(29, toy.toyNodeCreate(memory, buffer));
    keep(30, toy.toyStreamCreate(memory));
    keep(31, toy.toyPost(1, 2));
    keep(32, toy.toyLast(1, memory));
    keep(33, toy.toyWait(0));
    keep(34, toy.toyUpload(Native.getLong(device), memory, 64));
    keep(35, toy.toyDownload(memory, Native.getLong(device), 64));
    keep(36, toy.toyUploadAsync(Native.getLong(device), memory, 64, 0));
    keep(37, toy.toyRun(0, 0, 0));
    keep(50, toy.toyPointSum(memory + 64, memory));
    keep(51, toy.toyPoints(memory, memory + 512, 3));
    keep(52, toy.toyBox(memory));
    long object = ToySession.memory(64);
    keep(53, toy.toyDescribe(object, buffer));
    keep(54, toy.toyObjectSum(object, memory));
    structures(toy, buffer);
    session.caller.setLargestPart(8);
    keep(10, toy.toyLength(ToySession.text("a payload"), memory));
    keep(6, toy.toySum(memory, 20, memory));
    session.caller.setLargestPart(1 << 20);
    keep(22, toy.toyBufferDestroy(session.buffer(3)));
  }

  private void structures(Toy toy, long buffer) {
    long out = ToySession.memory(8);
    long action = ToySession.memory(48);
    Native.putInt(action, 2);
    Native.putLong(action + 8, session.node(buffer, 0));
    Native.putLong(action + 16, session.node(buffer, 1));
    keep(55, toy.toyAct(action, out));
    long groups = ToySession.memory(24);
    Native.putLong(groups, ToySession.ints(1, 2, 3));
    Native.putInt(groups + 8, 3);
    Native.putLong(groups + 16, buffer);
    long batch = ToySession.memory(48);
    Native.putInt(batch, 2);
    Native.putLong(batch + 8, ToySession.ints(4, 5));
    Native.putLong(batch + 16, 1);
    Native.putLong(batch + 24, ToySession.longs(buffer));
    Native.putInt(batch + 32, 1);
    Native.putLong(batch + 40, groups);
    keep(56, toy.toyBatch(batch, out));
    keep(57, toy.toyBatches(batch, 1, out));
    keep(58, toy.toyConfigure(ToySession.longs(1, 2)));
  }

  private void keep(int call, int result) {
    assertEquals(ToyResult.SUCCESS, result, ToyTable.name(call));
    samples.add(new Sample(call, session.caller.lastBody(), session.caller.lastPayload()));
  }

  @Test
  void truncatedBodiesAreRefused() {
    for (Sample sample : samples) {
      for (int bytes = 0; bytes < sample.body().length; bytes += 8) {
        byte[] cut = Arrays.copyOf(sample.body(), bytes);
        assertThrows(
            ProtocolException.class,
            () -> session.caller.send(sample.call(), cut, sample.payload()),
            () -> ToyTable.name(sample.call()) + " cut to " + cut.length);
      }
    }
  }

  @Test
  void longerBodiesAreRefused() {
    for (Sample sample : samples) {
      byte[] longer = Arrays.copyOf(sample.body(), sample.body().length + 8);
      assertThrows(
          ProtocolException.class,
          () -> session.caller.send(sample.call(), longer, sample.payload()),
          ToyTable.name(sample.call()));
    }
  }

  @Test
  void aPayloadThatIsMissingOrOfAnotherLengthIsRefused() {
    List<Sample> bulky = samples.stream().filter(s -> s.payload().length > 0).toList();
    assertEquals(2, bulky.size());
    for (Sample sample : bulky) {
      byte[] shorter = Arrays.copyOf(sample.payload(), sample.payload().length - 1);
      for (byte[] payload : List.of(NOTHING, shorter)) {
        assertThrows(
            ProtocolException.class,
            () -> session.caller.send(sample.call(), sample.body(), payload));
      }
    }
  }

  @Test
  void aPayloadThatTwoPartsShareIsRefused() {
    Sample batch = samples.stream().filter(s -> s.call() == 57).findFirst().orElseThrow();
    byte[] body = new byte[16 + 8 + 8];
    body[0] = 3;
    body[8] = 1;
    body[16] = 48;
    body[23] = -128;
    body[24] = 48;
    body[31] = -128;
    byte[] payload = Arrays.copyOfRange(batch.body(), 24, 24 + 48);
    payload[0] = 12;
    ProtocolException refusal =
        assertThrows(
            ProtocolException.class, () -> session.caller.send(batch.call(), body, payload));
    assertEquals("there is no payload as long as the part says", refusal.getMessage());
  }

  @Test
  void aTextWithoutAnEndIsRefused() {
    byte[] body = new byte[24];
    body[0] = 3;
    body[8] = 8;
    Arrays.fill(body, 16, 24, (byte) 'x');
    assertThrows(ProtocolException.class, () -> session.caller.send(10, body, NOTHING));
    body[23] = 0;
    assertEquals(ToyResult.SUCCESS, session.caller.send(10, body, NOTHING));
  }

  @Test
  void aHandleThatWasNotMintedIsRefused() {
    byte[] body = new byte[24];
    body[0] = 1;
    body[8] = 99;
    assertThrows(ProtocolException.class, () -> session.caller.send(20, body, NOTHING));
  }

  @Test
  void aPresenceMaskThatDoesNotFitIsRefused() {
    byte[] missing = new byte[32];
    missing[0] = 2;
    assertThrows(ProtocolException.class, () -> session.caller.send(50, missing, NOTHING));
    byte[] unknown = new byte[32];
    unknown[0] = 7;
    assertThrows(ProtocolException.class, () -> session.caller.send(50, unknown, NOTHING));
  }

  @Test
  void aReplyThatWouldBeTooLongIsRefused() {
    byte[] body = new byte[16];
    body[0] = 1;
    for (int room : new int[] {Integer.MAX_VALUE, Integer.MIN_VALUE, -1, Limits.REPLY}) {
      for (int i = 0; i < 4; i++) {
        body[8 + i] = (byte) (room >>> (8 * i));
      }
      assertThrows(ProtocolException.class, () -> session.caller.send(11, body, NOTHING));
    }
  }

  @Test
  void changedBodiesAreRefusedOrRun() {
    Random random = new Random(20_261_121);
    int refused = 0;
    int run = 0;
    for (int round = 0; round < ROUNDS; round++) {
      Sample sample = samples.get(random.nextInt(samples.size()));
      byte[] body = change(sample.body(), random);
      byte[] payload = random.nextInt(8) == 0 ? change(sample.payload(), random) : sample.payload();
      try {
        session.caller.send(sample.call(), body, payload);
        run++;
      } catch (ProtocolException e) {
        refused++;
      }
    }
    assertTrue(refused > ROUNDS / 20, "refused " + refused);
    assertTrue(run > ROUNDS / 20, "run " + run);
  }

  private static byte[] change(byte[] bytes, Random random) {
    int words = bytes.length / 8;
    byte[] changed = bytes.clone();
    switch (random.nextInt(6)) {
      case 0 -> changed = Arrays.copyOf(bytes, 8 * random.nextInt(words + 3));
      case 1 -> {
        for (int i = 0; i < 8 && words > 0; i++) {
          changed[8 * random.nextInt(words) + i] = (byte) random.nextInt();
        }
      }
      default -> {
        for (int i = random.nextInt(1, 4); i > 0 && bytes.length > 0; i--) {
          changed[random.nextInt(bytes.length)] = interesting(random);
        }
      }
    }
    return changed;
  }

  private static byte interesting(Random random) {
    byte[] values = {0, 1, 2, 7, 8, 9, 127, -128, -1};
    int which = random.nextInt(2 * values.length);
    return which < values.length ? values[which] : (byte) random.nextInt();
  }
}
