// SPDX-License-Identifier: Apache-2.0
package io.outboard.gpu;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class KernelLayoutTest {
  private static KernelLayout layout(int bytes, int offset, int size) {
    return new KernelLayout(bytes, new int[] {0, offset}, new int[] {8, size});
  }

  @Test
  void parametersLieAmongThePackedOnes() {
    assertTrue(layout(16, 8, 8).isPossible());
    assertTrue(layout(16, 16, 0).isPossible());
    assertTrue(new KernelLayout(0, new int[0], new int[0]).isPossible());
    assertFalse(layout(16, 8, 9).isPossible());
    assertFalse(layout(16, 17, 0).isPossible());
    assertFalse(layout(16, Integer.MAX_VALUE, 8).isPossible());
    assertFalse(layout(16, -8, 8).isPossible());
    assertFalse(layout(16, 8, -8).isPossible());
    assertFalse(layout(-1, 0, 0).isPossible());
    assertFalse(layout(Integer.MAX_VALUE, 8, 8).isPossible());
  }
}
