// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.outboard.ptx.host.PtxTrap;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A compiled kernel tries to leave the memory that it has, in each space by each instruction. */
class EscapeTest {
  private static final String DECLARATIONS =
      """
      .shared .align 16 .b8 mine[64];
      .const .align 16 .b8 fixed[64] = {1};
      """;

  /**
   * Behind what a kernel has, at the ends of numbers, and where sums with the place wrap. The lower
   * halves are behind it too, since addresses of other spaces than global have no upper half.
   */
  private static final List<Long> OFFSETS =
      List.of(
          1L << 21,
          1L << 24,
          Integer.MAX_VALUE - 63L & -16,
          1L << 31,
          (1L << 32) - 128,
          (1L << 40) + (1L << 21),
          Long.MAX_VALUE - 255 & -16,
          Long.MIN_VALUE + (1L << 22),
          -(1L << 20),
          -(1L << 33) - (1L << 20));

  /** Each with the place in %d1. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "ld.SPACE.u8 %r1, [%d1];",
        "ld.SPACE.u32 %r1, [%d1];",
        "ld.SPACE.u64 %d2, [%d1];",
        "ld.SPACE.v4.u32 {%r1, %r2, %r3, %r4}, [%d1];",
        "st.SPACE.u8 [%d1], %r1;",
        "st.SPACE.u32 [%d1], %r1;",
        "st.SPACE.v2.u64 [%d1], {%d2, %d3};",
        "atom.SPACE.add.u32 %r1, [%d1], 1;",
        "atom.SPACE.cas.b64 %d2, [%d1], %d3, %d4;",
        "red.SPACE.max.u32 [%d1], 7;"
      })
  void noInstructionLeavesASpace(String instruction) {
    for (String space : List.of("global", "shared", "local", "const")) {
      boolean reads = instruction.startsWith("ld");
      boolean atomic = instruction.startsWith("atom") || instruction.startsWith("red");
      if (!(space.equals("const") && !reads) && !(space.equals("local") && atomic)) {
        OFFSETS.forEach(offset -> assertTrapped(begin(space), offset, instruction, space));
      }
    }
  }

  /** Addresses without a space, from a place in each. */
  @ParameterizedTest
  @ValueSource(
      strings = {"ld.u32 %r1, [%d1];", "st.u64 [%d1], %d2;", "atom.add.u32 %r1, [%d1], 1;"})
  void noGenericAddressLeavesAWindow(String instruction) {
    String shared = "cvta.shared.u64 %d1, mine;";
    String local = ".local .align 16 .b8 own[64];\ncvta.local.u64 %d1, own;";
    for (String begin : List.of("mov.u64 %d1, %out;", shared, local)) {
      OFFSETS.forEach(offset -> assertTrapped(begin, offset, instruction, "any"));
    }
  }

  private static String begin(String space) {
    return switch (space) {
      case "global" -> "mov.u64 %d1, %out;";
      case "shared" -> "mov.u64 %d1, mine;";
      case "local" -> ".local .align 16 .b8 own[64];\nmov.u64 %d1, own;";
      default -> "mov.u64 %d1, fixed;";
    };
  }

  private static void assertTrapped(String begin, long offset, String instruction, String space) {
    String body =
        "%s\nadd.u64 %%d1, %%d1, %d;\n%s\n"
            .formatted(begin, offset, instruction.replace("SPACE", space));
    PtxTrap trap =
        assertThrows(PtxTrap.class, () -> Source.run(Source.kernel(DECLARATIONS, body), 1), body);
    assertEquals(PtxTrap.Kind.ILLEGAL_ADDRESS, trap.kind(), body);
  }
}
