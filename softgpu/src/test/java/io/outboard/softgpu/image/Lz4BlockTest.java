// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.image;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;

class Lz4BlockTest {
  @Test
  void decompressesWhatWasCompressed() throws MalformedException {
    Random random = new Random(1);
    for (int round = 0; round < 200; round++) {
      byte[] text = text(random, random.nextInt(5000));
      byte[] block = Lz4Writer.compress(text);
      assertArrayEquals(text, Lz4Block.decompress(block, text.length));
    }
  }

  @Test
  void compressesRepetitionsWell() throws MalformedException {
    byte[] text = new byte[100_000];
    byte[] block = Lz4Writer.compress(text);
    assertTrue(block.length < 1000);
    assertArrayEquals(text, Lz4Block.decompress(block, text.length));
  }

  @Test
  void refusesAnotherLength() {
    byte[] block = Lz4Writer.compress(text(new Random(2), 1000));
    assertThrows(MalformedException.class, () -> Lz4Block.decompress(block, 999));
    assertThrows(MalformedException.class, () -> Lz4Block.decompress(block, 1001));
  }

  @Test
  void survivesAnyBytes() {
    Random random = new Random(3);
    int broken = 0;
    for (int round = 0; round < 2000; round++) {
      byte[] block = Lz4Writer.compress(text(random, 300));
      block[random.nextInt(block.length)] ^= (byte) (1 << random.nextInt(8));
      try {
        Lz4Block.decompress(block, 300);
      } catch (MalformedException expected) {
        broken++;
      }
    }
    assertTrue(broken > 100);
  }

  /** Words of a small vocabulary. */
  static byte[] text(Random random, int length) {
    byte[] text = new byte[length];
    for (int i = 0; i < length; i++) {
      boolean again = i > 20 && random.nextInt(10) > 0;
      text[i] = again ? text[i - 1 - random.nextInt(3) * 5] : (byte) random.nextInt(64);
    }
    return text;
  }
}
