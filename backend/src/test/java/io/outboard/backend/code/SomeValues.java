// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.code;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.outboard.backend.code.Everything.Colour;
import io.outboard.backend.code.Everything.Even;
import io.outboard.backend.code.Everything.Leaf;
import io.outboard.backend.code.Everything.Node;
import io.outboard.backend.code.Everything.Nothing;
import io.outboard.backend.code.Everything.Tree;
import io.outboard.backend.code.Everything.Whole;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;

/** Values of each kind, made of a seed. */
final class SomeValues {
  private static final int MOST = 5;
  private static final int DEEPEST = 6;
  private static final List<Colour> COLOURS = List.copyOf(EnumSet.allOf(Colour.class));
  private static final String[] TEXTS = {"", "a", "Zahlen und Größen", "\u0000", "字 \uD83D\uDE00"};

  private final Random random;

  SomeValues(long seed) {
    random = new Random(seed);
  }

  Whole whole() {
    byte[] bytes = new byte[random.nextInt(MOST)];
    random.nextBytes(bytes);
    boolean[] booleans = new boolean[random.nextInt(MOST)];
    char[] chars = new char[random.nextInt(MOST)];
    short[] shorts = new short[random.nextInt(MOST)];
    float[] floats = new float[random.nextInt(MOST)];
    for (int i = 0; i < booleans.length; i++) {
      booleans[i] = random.nextBoolean();
    }
    for (int i = 0; i < chars.length; i++) {
      chars[i] = (char) random.nextInt();
    }
    for (int i = 0; i < shorts.length; i++) {
      shorts[i] = (short) random.nextInt();
    }
    for (int i = 0; i < floats.length; i++) {
      floats[i] = random.nextFloat();
    }
    return new Whole(
        booleans,
        bytes,
        shorts,
        chars,
        ints(),
        random.longs(random.nextInt(MOST)).toArray(),
        floats,
        random.doubles(random.nextInt(MOST)).toArray(),
        text(),
        list(this::text).toArray(new String[0]),
        list(this::ints).toArray(new int[0][]),
        colour(),
        new Nothing(),
        new Even(2 * random.nextInt(1 << 20)),
        tree(0),
        list(() -> optional(this::colour)),
        map(this::text, () -> list(() -> tree(0))),
        optional(() -> map(random::nextInt, random::nextBoolean)));
  }

  private int[] ints() {
    return random.ints(random.nextInt(MOST)).toArray();
  }

  private String text() {
    return TEXTS[random.nextInt(TEXTS.length)];
  }

  private Colour colour() {
    return COLOURS.get(random.nextInt(COLOURS.size()));
  }

  private Tree tree(int depth) {
    return depth == DEEPEST || random.nextBoolean()
        ? new Leaf(random.nextInt())
        : new Node(tree(depth + 1), tree(depth + 1));
  }

  private <T> List<T> list(Supplier<T> of) {
    List<T> all = new ArrayList<>();
    for (int i = random.nextInt(MOST); i > 0; i--) {
      all.add(of.get());
    }
    return all;
  }

  private <K, V> Map<K, V> map(Supplier<K> keys, Supplier<V> values) {
    Map<K, V> all = new LinkedHashMap<>();
    for (int i = random.nextInt(MOST); i > 0; i--) {
      all.put(keys.get(), values.get());
    }
    return all;
  }

  private <T> Optional<T> optional(Supplier<T> of) {
    return random.nextBoolean() ? Optional.of(of.get()) : Optional.empty();
  }

  /** Arrays of a record are equal only if they are the same ones. */
  static void assertSame(Whole expected, Whole seen) {
    assertArrayEquals(expected.booleans(), seen.booleans());
    assertArrayEquals(expected.bytes(), seen.bytes());
    assertArrayEquals(expected.shorts(), seen.shorts());
    assertArrayEquals(expected.chars(), seen.chars());
    assertArrayEquals(expected.ints(), seen.ints());
    assertArrayEquals(expected.longs(), seen.longs());
    assertArrayEquals(expected.floats(), seen.floats());
    assertArrayEquals(expected.doubles(), seen.doubles());
    assertEquals(expected.text(), seen.text());
    assertArrayEquals(expected.texts(), seen.texts());
    assertArrayEquals(expected.nested(), seen.nested());
    assertEquals(expected.colour(), seen.colour());
    assertEquals(expected.nothing(), seen.nothing());
    assertEquals(expected.even(), seen.even());
    assertEquals(expected.tree(), seen.tree());
    assertEquals(expected.list(), seen.list());
    assertEquals(List.copyOf(expected.map().entrySet()), List.copyOf(seen.map().entrySet()));
    assertEquals(expected.optional(), seen.optional());
  }
}
