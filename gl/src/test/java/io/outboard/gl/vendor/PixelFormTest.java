// SPDX-License-Identifier: Apache-2.0
package io.outboard.gl.vendor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** OpenGL 4.6, section 8.4.4: bytes of images in memory. */
final class PixelFormTest {
  private static final int RGB = 0x1907;
  private static final int RGBA = 0x1908;
  private static final int BYTES = 0x1401;
  private static final int FLOATS = 0x1406;
  private static final int PACKED_565 = 0x8363;
  private static final PixelForm TIGHT = new PixelForm(1, 0, 0, 0, 0, 0);
  private static final PixelForm USUAL = new PixelForm(4, 0, 0, 0, 0, 0);

  @Test
  void theLastRowHasNoGapBehindIt() {
    assertEquals(99 * 17, TIGHT.bytes(33, 17, 1, RGB, BYTES));
    assertEquals(100 * 16 + 99, USUAL.bytes(33, 17, 1, RGB, BYTES));
    assertEquals(4 * 8 * 8 * 3, USUAL.bytes(8, 8, 3, RGBA, BYTES));
    assertEquals(12, USUAL.bytes(1, 1, 1, RGB, FLOATS));
    assertEquals(2 * 5, TIGHT.bytes(5, 1, 1, RGB, PACKED_565));
  }

  @Test
  void whatIsSkippedCounts() {
    PixelForm form = new PixelForm(1, 9, 4, 2, 1, 1);
    assertEquals(27 * 4 + 27 + 27 * 4 + (3 + 2) * 3, form.bytes(3, 5, 1, RGB, BYTES));
  }

  @Test
  void nothingHasNoBytes() {
    assertEquals(0, USUAL.bytes(0, 5, 1, RGB, BYTES));
    assertEquals(0, USUAL.bytes(5, -1, 1, RGB, BYTES));
  }

  /** A hostile client's product of sizes is never a small number. */
  @Test
  void moreThanThereCanBeIsTooMuch() {
    int most = Integer.MAX_VALUE;
    PixelForm form = new PixelForm(8, most, most, most, most, most);
    assertEquals(PixelForm.TOO_MANY, form.bytes(most, most, most, RGBA, FLOATS));
  }

  @Test
  void aFormThatIsNotKnownIsNone() {
    assertEquals(PixelForm.UNKNOWN, USUAL.bytes(4, 4, 1, 0x1234, BYTES));
    assertEquals(PixelForm.UNKNOWN, USUAL.bytes(4, 4, 1, RGB, 0x1234));
    assertEquals(PixelForm.UNKNOWN, USUAL.bytes(4, 4, 1, 0x1234, 0x1234));
  }
}
