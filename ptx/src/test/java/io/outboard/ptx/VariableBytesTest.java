// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.outboard.ptx.host.PtxException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class VariableBytesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "500000000        | .visible .global .align 16 .b8 big[500000000];",
        "6442450944       | .global .f64 huge[0x30000000];",
        "12               | .const .u32 a, b, c;",
        "64               | .global .v4 .f32 rows[4];",
        "1024             | .global .b32 table[16][16];",
        "12               | .global .s32 open[] = {1, 2, 3};",
        "16               | .global .b128 wide;",
        "8                | .global .u64 at = generic(open) + 4;",
        "0                | .extern .global .b8 elsewhere[100];",
        "0                | .shared .align 4 .b8 tile[4096];",
        "8                | .global .attribute(.managed) .b64 shared;",
        "8                | .const[2] .u32 old[2U];",
        "4                | .extern .func f(.param .u64 .ptr .global .align 4 p); .global .u32 x;",
        "4                | .extern .global .u32 y; .global .u32 x;",
        "4                | .entry k() { .reg .b32 %r; ld.global.u32 %r, [x]; } .global .u32 x;",
        "4                | .global .u32 x; .newdirective \"a;{\", 7; .func g() { { unknown.op 1; } }",
        "8                | /* .global .u64 no; */ .global .u64 yes; // .global .u64 no;",
      })
  void variablesAreAddedUpWhateverElseThereIs(long bytes, String text) {
    assertEquals(bytes, PtxModule.variableBytes(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ".global .odd x;",
        ".global .b8 x[4*4];",
        ".global .b8 x[9999999999999999999];",
        ".global .b64 x[0x7fffffffffffffff];",
        ".global .b8 x[4]",
        ".global .b8 x[4] = {1, 2",
        ".entry k() {",
        ".pragma \"a\\\"b\"; .global .b8 hidden[9]; .pragma \"c\";",
      })
  void whatCannotBeReadIsSaid(String text) {
    assertThrows(PtxException.class, () -> PtxModule.variableBytes(text));
  }

  @Test
  void howDeepBracketsAreDoesNotMatter() {
    String deep = ".func f() " + "{".repeat(1_000_000) + "}".repeat(1_000_000);
    assertEquals(4, PtxModule.variableBytes(deep + " .global .u32 x;"));
  }

  @Test
  void itIsWhatTheModuleHas() {
    String text =
        """
        .version 7.0
        .target sm_52
        .address_size 64
        .visible .global .align 4 .b8 a[1000] = {1, 2, 3};
        .const .align 8 .f64 b[3] = {0d0000000000000000};
        .visible .entry run(.param .u64 .ptr .global .align 4 p)
        {
          .reg .b64 %rd<2>;
          ld.param.u64 %rd1, [p];
          ret;
        }
        """;
    assertEquals(
        PtxModule.parse(text).variables().stream().mapToLong(PtxVariable::size).sum(),
        PtxModule.variableBytes(text));
  }
}
