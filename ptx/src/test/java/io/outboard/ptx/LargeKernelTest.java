// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.outboard.ptx.host.PtxTrap;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Kernels larger than a method that HotSpot compiles. */
class LargeKernelTest {
  private static final int INSTRUCTIONS = 10_000;

  @Test
  void tenThousandInstructionsInOneLine() throws PtxTrap {
    Random random = new Random(11);
    StringBuilder body = new StringBuilder("mov.u32 %r0, %t;\n");
    int[] expected = new int[8];
    for (int t = 0; t < 8; t++) {
      expected[t] = t;
    }
    for (int i = 0; i < INSTRUCTIONS; i++) {
      int constant = random.nextInt();
      boolean multiply = random.nextBoolean();
      String operation = multiply ? "mul.lo.u32" : "xor.b32";
      body.append(operation).append(" %r0, %r0, ").append(constant | 1).append(";\n");
      for (int t = 0; t < 8; t++) {
        expected[t] = multiply ? expected[t] * (constant | 1) : expected[t] ^ (constant | 1);
      }
    }
    body.append("st.global.u32 [%my], %r0;\n");
    assertArrayEquals(expected, Source.run(Source.kernel(body.toString()), 8));
  }

  /** Five hundred values are alive at once where methods are cut, and a barrier cuts them again. */
  @Test
  void manyValuesAliveAcrossMethods() throws PtxTrap {
    StringBuilder body = new StringBuilder(".reg .b32 %v<500>;\n");
    for (int i = 0; i < 500; i++) {
      body.append("mad.lo.u32 %v" + i + ", %t, " + i + ", " + (i * i) + ";\n");
    }
    body.append("bar.sync 0;\nmov.u32 %r0, 0;\n");
    for (int i = 0; i < 500; i++) {
      body.append("mad.lo.u32 %r0, %r0, 31, %v" + i + ";\n");
    }
    body.append("st.global.u32 [%my], %r0;\n");
    int[] found = Source.run(Source.kernel(body.toString()), 40);
    for (int t = 0; t < 40; t++) {
      int sum = 0;
      for (int i = 0; i < 500; i++) {
        sum = sum * 31 + t * i + i * i;
      }
      assertEquals(sum, found[t]);
    }
  }

  /** A loop too large for one method goes round through several. */
  @Test
  void loopOverSeveralMethods() throws PtxTrap {
    StringBuilder body = new StringBuilder("mov.u32 %r0, %t;\nmov.u32 %r1, 0;\nagain:\n");
    for (int i = 0; i < 2_000; i++) {
      body.append("mad.lo.u32 %r0, %r0, 5, " + i + ";\n");
    }
    body.append("add.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 3;\n@%p1 bra again;\n");
    body.append("st.global.u32 [%my], %r0;\n");
    int[] found = Source.run(Source.kernel(body.toString()), 3);
    for (int t = 0; t < 3; t++) {
      int value = t;
      for (int i = 0; i < 6_000; i++) {
        value = value * 5 + i % 2_000;
      }
      assertEquals(value, found[t]);
    }
  }
}
