// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.outboard.ptx.host.PtxException;
import io.outboard.ptx.host.PtxParameter;
import io.outboard.ptx.host.Space;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Texts that are read, and texts that are refused with these words. */
class ParserTest {
  private static final String HEAD = ".version 8.5\n.target sm_80\n.address_size 64\n";

  private static String refusal(String text) {
    return assertThrows(PtxException.class, () -> PtxModule.parse(text)).getMessage();
  }

  private static String refusalOfBody(String body) {
    return refusal(HEAD + ".entry k() {\n.reg .b32 %r<4>;\n.reg .pred %p;\n" + body + "\n}\n");
  }

  @Test
  void malformedTextIsRefusedWithItsPlace() {
    assertEquals("1:1: no .version directive", refusal(""));
    assertEquals("1:1: expected '.', found 'h'", refusal("hello"));
  }

  @Test
  void mistakesInBodies() {
    assertEquals("8:1: expected ';', found '}'", refusalOfBody("mov.u32 %r1, 5"));
    assertEquals("7:17: unknown register %r9", refusalOfBody("mov.u32 %r1, %r9;"));
    assertEquals("7:4: %q is not a predicate", refusalOfBody("@%q mov.u32 %r1, 5;"));
    assertEquals("7:16: malformed number 0x", refusalOfBody("mov.u32 %r1, 0x;"));
  }

  @Test
  void everyMistakeIsListed() {
    assertEquals(
        """
        7:1: frobnicate.u32: unknown instruction
        8:5: bra: branch to unknown label
        9:1: call: call of unknown function malloc""",
        refusalOfBody("frobnicate.u32 %r1, %r2;\n@%p bra nowhere;\ncall malloc;"));
  }

  @Test
  void variablesWithTheirFirstContents() {
    PtxModule module =
        PtxModule.parse(
            HEAD
                + """
                .visible .global .align 4 .b8 bytes[8] = {1, 2, 255};
                .const .f32 real = 0f3F800000;
                .global .u64 pointers[2] = {generic(bytes)+3, real};
                .global .align 8 .b8 packed[2] = {0xFF(bytes), 0xFF00(bytes)};
                .global .u32 plain;
                .global .v2 .f32 pairs[3];
                .global .u16 open[] = {1, 2, 3};
                .shared .u32 notListed;
                """);
    assertEquals(
        List.of("bytes", "real", "pointers", "packed", "plain", "pairs", "open"),
        module.variables().stream().map(PtxVariable::name).toList());
    assertEquals(
        List.of(8L, 4L, 16L, 2L, 4L, 24L, 6L),
        module.variables().stream().map(PtxVariable::size).toList());
    module.place(
        Map.of(
            "bytes",
            0x1234L,
            "real",
            0x77L,
            "pointers",
            0L,
            "packed",
            0L,
            "plain",
            0L,
            "pairs",
            0L,
            "open",
            0L));
    assertArrayEquals(new byte[] {1, 2, -1, 0, 0, 0, 0, 0}, module.variables().get(0).initial());
    assertEquals(Space.CONST, module.variables().get(1).space());
    assertArrayEquals(
        new byte[] {0x37, 0x12, 0, 0, 0, 0, 0, 0, 0x77, 0, 0, 0, 0, 0, 0, 0},
        module.variables().get(2).initial());
    assertArrayEquals(new byte[] {0x34, 0x12}, module.variables().get(3).initial());
    assertArrayEquals(new byte[4], module.variables().get(4).initial());
    assertEquals("8.5 sm_80", module.version() + " " + module.target());
  }

  @Test
  void kernelsTellWhatTheyNeed() {
    PtxKernel kernel =
        PtxModule.parse(
                HEAD
                    + """
                    .visible .entry k(
                      .param .u8 a,
                      .param .align 16 .b8 b[20],
                      .param .u64 .ptr .global .align 4 c
                    )
                    .maxntid 64, 2, 1
                    .minnctapersm 2
                    { .reg .b32 %r<3>; .loc 1 2 3
                      .shared .align 8 .b8 s[24];
                      .pragma "nounroll";
                      st.shared.u32 [s], 1;
                      ret; }
                    .section .debug_str { .b8 1 }
                    """)
            .kernels()
            .get("k");
    assertEquals(
        List.of(
            new PtxParameter(0, 1, 1), new PtxParameter(16, 20, 16), new PtxParameter(40, 8, 8)),
        kernel.parameters());
    assertEquals(48, kernel.parameterBytes());
    assertEquals(128, kernel.maxThreadsPerBlock());
    assertEquals(24, kernel.sharedBytes());
    assertEquals(0, kernel.constantBytes());
  }

  @Test
  void constantsAreCountedAsTheyAreAligned() {
    PtxModule module =
        PtxModule.parse(
            """
            .version 7.0
            .target sm_75
            .address_size 64
            .const .align 1 .b8 three[3];
            .const .align 8 .b8 eight[8];
            .visible .entry k() { ret; }
            """);
    assertEquals(16, module.kernels().get("k").constantBytes());
  }

  @Test
  void variablesSayWhetherTheyAreManaged() {
    List<PtxVariable> variables =
        PtxModule.parse(
                HEAD
                    + """
                    .global .attribute(.managed) .align 4 .u32 shared_one;
                    .global .attribute(.unified(19, 95)) .u32 other, another;
                    """)
            .variables();
    assertEquals(
        List.of(true, false, false), variables.stream().map(PtxVariable::managed).toList());
  }
}
