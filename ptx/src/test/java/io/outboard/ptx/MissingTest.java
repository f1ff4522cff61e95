// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.ptx.host.Dim3;
import io.outboard.ptx.host.PtxException;
import io.outboard.ptx.host.PtxMissing;
import io.outboard.ptx.host.PtxTrap;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A kernel that needs what is not implemented is refused, and nothing else of its module. */
class MissingTest {
  private static final String HEAD = ".version 8.5\n.target sm_90a\n.address_size 64\n";

  private static final String OTHER =
      """
      .visible .entry other(.param .u64 out) {
        .reg .b64 %out;
        ld.param.u64 %out, [out];
        st.global.u32 [%out], 42;
        ret;
      }
      """;

  private static List<PtxMissing> missing(String text, String kernel) {
    return PtxModule.parse(text).kernels().get(kernel).missing();
  }

  private static List<PtxMissing> missingOfBody(String body) {
    return missing(
        HEAD
            + ".entry k(.param .u32 a) {\n.reg .b32 %r<40>;\n.reg .pred %p;\n.reg .b64 %d<9>;\n"
            + body
            + "\n}\n",
        "k");
  }

  @Test
  void everyMissingInstructionHasItsLine() {
    assertEquals(
        List.of(
            new PtxMissing(8, "wgmma.fence (no supported type)"),
            new PtxMissing(9, "add.banana.u32 (modifier .banana)"),
            new PtxMissing(10, "mov.u32 (operands)")),
        missingOfBody("wgmma.fence;\nadd.banana.u32 %r1, %r2, 3;\nmov.u32 %r1;"));
  }

  @Test
  void theOtherKernelsOfTheModuleRun() throws PtxTrap {
    String text = HEAD + ".entry k(.param .u64 a) { wgmma.fence; ret; }\n" + OTHER;
    try (Device device = new Device(1 << 16)) {
      PtxModule module = device.load(text);
      long out = device.allocate(4);
      device.launch(module.kernels().get("other"), Dim3.of(1), Dim3.of(1), 0, out);
      assertArrayEquals(new int[] {42}, device.ints(out, 1));
      PtxKernel refused = module.kernels().get("k");
      assertEquals(8, refused.parameterBytes());
      assertEquals(0, refused.registers());
      assertThrows(
          PtxException.class, () -> device.launch(refused, Dim3.of(1), Dim3.of(1), 0, out));
    }
  }

  @Test
  void calledFunctionsCountToTheirKernels() {
    String text =
        HEAD
            + ".func deep() { wgmma.fence; ret; }\n"
            + ".func shallow() { call deep; ret; }\n"
            + ".entry k() { call shallow; ret; }\n"
            + OTHER;
    assertEquals(List.of(new PtxMissing(4, "wgmma.fence (no supported type)")), missing(text, "k"));
    assertEquals(List.of(), missing(text, "other"));
  }

  @Test
  void functionsThatAPointerMayMeanCount() {
    String text =
        HEAD
            + ".func deep() { wgmma.fence; ret; }\n"
            + ".global .u64 table[1] = {deep};\n"
            + ".entry k() { .reg .b64 %d; ld.global.u64 %d, [table];\n"
            + "p: .callprototype _ ();\ncall %d, p; ret; }\n"
            + OTHER;
    assertEquals(List.of(new PtxMissing(4, "wgmma.fence (no supported type)")), missing(text, "k"));
    assertEquals(List.of(), missing(text, "other"));
  }

  @Test
  void recursionRefusesTheKernel() {
    String text = HEAD + ".func f() {\ncall f; ret; }\n.entry k() { call f; ret; }\n" + OTHER;
    assertEquals(List.of(new PtxMissing(5, "call (recursion of f)")), missing(text, "k"));
    assertEquals(List.of(), missing(text, "other"));
  }

  @Test
  void aDeclaredFunctionThatNobodyDefinesRefusesTheKernel() {
    String text =
        HEAD
            + ".extern .func (.param .b64 r) malloc(.param .b64 n);\n"
            + ".entry k() { .param .b64 r; .param .b64 n;\ncall (r), malloc, (n); ret; }\n";
    assertEquals(
        List.of(new PtxMissing(6, "call (call of undefined function malloc)")), missing(text, "k"));
  }

  @Test
  void tooMuchMemoryHasNoLine() {
    assertEquals(
        List.of(new PtxMissing(0, "more than 1 MiB of shared memory")),
        missingOfBody(".shared .b8 s[2000000];\nst.shared.u32 [s], 1;"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cp.async.cg.shared.global [%r1], [%d1], 16;",
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"
            + " [%r1], [%d1, {%r2, %r3}], [%r4];",
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r1], %r2;",
        "mbarrier.try_wait.parity.shared::cta.b64 %p, [%r1], %r2;",
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32"
            + " {%r1,%r2,%r3,%r4}, {%r5,%r6,%r7,%r8}, {%r9,%r10}, {%r1,%r2,%r3,%r4};",
        "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1,%r2,%r3,%r4}, [%r5];",
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16"
            + " {%r1,%r2,%r3,%r4}, %d1, %d2, %p, 1, 1, 0, 0;",
        "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r1], 32;",
        "setmaxnreg.inc.sync.aligned.u32 240;",
        "tex.2d.v4.s32.f32 {%r1,%r2,%r3,%r4}, [image, sampler, {%r5,%r6}];",
        "tex.2d.v4.s32.f32 {%r1,%r2,%r3,%r4}, [image, {%r5,%r6}];",
        "mov.u32 %r1, %pm0;",
        "{ .reg .b128 %q; mov.b128 %q, {%d1, %d2}; }",
        "vadd.s32.s32.s32 %r1, %r2.b0, %r3.h1;",
        "alloca.u64 %d1, 16;"
      })
  void whatIsNotImplementedIsRead(String instruction) {
    String text =
        HEAD
            + ".global .texref image;\n.global .samplerref sampler = { addr_mode_0 = wrap };\n"
            + ".entry k() {\n.reg .b32 %r<20>;\n.reg .pred %p;\n.reg .b64 %d<9>;\n"
            + instruction
            + "\n}\n"
            + OTHER;
    PtxModule module = PtxModule.parse(text);
    assertEquals(1, module.kernels().get("k").missing().size());
    assertTrue(module.kernels().get("other").missing().isEmpty());
  }
}
