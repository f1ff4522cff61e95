// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.image;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Frames that the reference compressor made of one text, at several levels (see zstd/README.md).
 */
class ZstdFrameTest {
  @ParameterizedTest
  @ValueSource(strings = {"fast", "default", "ultra", "small"})
  void decompressesTheReferenceCompressorsFrames(String level) throws Exception {
    byte[] expected = resource("content.txt");
    byte[] frame = resource(level + ".zst");
    int length = level.equals("small") ? 100 : expected.length;
    byte[] start = Arrays.copyOf(expected, length);
    assertArrayEquals(start, ZstdFrame.decompress(frame, length));
  }

  @Test
  void refusesAnotherLength() throws Exception {
    byte[] frame = resource("default.zst");
    int length = resource("content.txt").length;
    assertThrows(MalformedException.class, () -> ZstdFrame.decompress(frame, length - 1));
    assertThrows(MalformedException.class, () -> ZstdFrame.decompress(frame, length + 1));
  }

  @Test
  void refusesWhatEndsEarly() throws Exception {
    byte[] frame = resource("default.zst");
    int length = resource("content.txt").length;
    for (int end = 0; end < frame.length - 4; end += 7) {
      byte[] cut = Arrays.copyOf(frame, end);
      assertThrows(MalformedException.class, () -> ZstdFrame.decompress(cut, length));
    }
  }

  @Test
  void survivesAnyBytes() throws Exception {
    byte[] frame = resource("ultra.zst");
    int length = resource("content.txt").length;
    Random random = new Random(4);
    int broken = 0;
    for (int round = 0; round < 1000; round++) {
      byte[] changed = frame.clone();
      changed[random.nextInt(changed.length)] ^= (byte) (1 << random.nextInt(8));
      try {
        ZstdFrame.decompress(changed, length);
      } catch (MalformedException expected) {
        broken++;
      }
    }
    assertTrue(broken > 100);
  }

  private static byte[] resource(String name) throws IOException {
    try (InputStream in = ZstdFrameTest.class.getResourceAsStream("/zstd/" + name)) {
      return in.readAllBytes();
    }
  }
}
