// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.patience.Patience;
import io.outboard.ptx.host.Dim3;
import io.outboard.ptx.host.PtxTrap;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Kernels that are stopped. */
class TrapTest {
  private static PtxTrap trap(String body) {
    return assertThrows(PtxTrap.class, () -> Source.run(Source.kernel(body), 4));
  }

  @Test
  void illegalAddressNamesKernelBlockAndThread() {
    PtxTrap trap = trap("setp.eq.u32 %p1, %t, 2;\n@%p1 st.global.u32 [%my+16777216], 1;\n");
    assertEquals(PtxTrap.Kind.ILLEGAL_ADDRESS, trap.kind());
    assertEquals(OptionalLong.of(Device.BASE + 512 + 8 + 16777216 - 256), trap.address());
    assertTrue(
        trap.getMessage().endsWith("in kernel test, block (0,0,0), thread (2,0,0)"),
        trap.getMessage());
  }

  @Test
  void nullAndWildAddresses() {
    assertEquals(OptionalLong.of(0), trap("ld.global.u32 %r1, [0];").address());
    assertEquals(PtxTrap.Kind.ILLEGAL_ADDRESS, trap("mov.u64 %d1, -8; ld.u64 %d2, [%d1];").kind());
    assertEquals(PtxTrap.Kind.ILLEGAL_ADDRESS, trap("atom.global.add.u32 %r1, [64], 1;").kind());
    assertEquals(PtxTrap.Kind.ILLEGAL_ADDRESS, trap("st.shared.u32 [4096], 1;").kind());
    assertEquals(PtxTrap.Kind.ILLEGAL_ADDRESS, trap("ld.local.u32 %r1, [64];").kind());
  }

  @Test
  void misalignedAddresses() {
    PtxTrap.Kind misaligned = PtxTrap.Kind.MISALIGNED_ADDRESS;
    assertEquals(misaligned, trap("ld.global.u32 %r1, [%out+2];").kind());
    assertEquals(misaligned, trap("st.global.u64 [%out+4], %d1;").kind());
    assertEquals(misaligned, trap("ld.global.v2.u32 {%r1, %r2}, [%out+4];").kind());
    assertEquals(misaligned, trap("atom.global.add.u32 %r1, [%out+1], 1;").kind());
    assertEquals(misaligned, trap("ld.shared.u32 %r1, [2];").kind());
  }

  @Test
  void callThroughAPointerToNoFunction() {
    PtxTrap trap = trap("mov.u64 %d1, 0;\nprototype: .callprototype _ ();\ncall %d1, prototype;");
    assertEquals(PtxTrap.Kind.TRAP, trap.kind());
  }

  @Test
  void trapInstruction() {
    assertEquals(PtxTrap.Kind.TRAP, trap("trap;").kind());
  }

  @Test
  void failedAssertion() {
    String text =
        Source.kernel(
            """
            .extern .func __assertfail
              (.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e);
            .global .align 1 .b8 text[6] = {120, 32, 62, 32, 49, 0};
            """,
            """
            mov.u64 %d1, text;
            cvta.global.u64 %d2, %d1;
            {
            .param .b64 a; .param .b64 b; .param .b32 c; .param .b64 d; .param .b64 e;
            st.param.b64 [a], %d2;
            st.param.b64 [b], %d2;
            st.param.b32 [c], 17;
            st.param.b64 [d], %d2;
            st.param.b64 [e], 1;
            call.uni __assertfail, (a, b, c, d, e);
            }
            """);
    PtxTrap trap = assertThrows(PtxTrap.class, () -> Source.run(text, 1));
    assertEquals(PtxTrap.Kind.ASSERT, trap.kind());
    assertEquals(
        "x > 1:17: x > 1: block: [0,0,0], thread: [0,0,0] Assertion `x > 1` failed.",
        trap.getMessage());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "for_ever: bra.uni for_ever;",
        "for_ever: add.u32 %r, %r, 1; bra for_ever;",
        "for_ever: nanosleep.u32 10; bra for_ever;",
        "for_ever: ld.volatile.global.u32 %r, [flag]; setp.eq.u32 %p, %r, 0; @%p bra for_ever;",
        "for_ever: bar.sync 0; bra for_ever;",
        "for_ever: bar.warp.sync -1; bra for_ever;",
      })
  void endlessKernelRunsUntilItIsCancelled(String body) throws InterruptedException {
    assertEquals(PtxTrap.Kind.CANCELLED, cancelled(body));
  }

  @Test
  void endlessKernelOfSeveralMethodsRunsUntilItIsCancelled() throws InterruptedException {
    String much = "mad.lo.u32 %r, %r, %r, 7;\n".repeat(3000);
    assertEquals(PtxTrap.Kind.CANCELLED, cancelled("for_ever:\n" + much + "bra for_ever;"));
  }

  /** Why a kernel ends that is cancelled while it runs. */
  private static PtxTrap.Kind cancelled(String body) throws InterruptedException {
    String text =
        ".version 8.5\n.target sm_75\n.address_size 64\n.global .u32 flag;\n"
            + ".entry test(.param .u64 begun) {\n.reg .b32 %r; .reg .pred %p; .reg .b64 %b;\n"
            + "ld.param.u64 %b, [begun];\nst.volatile.global.u32 [%b], 1;\n"
            + body
            + "\nret;\n}\n";
    try (Device device = new Device(1 << 16)) {
      PtxKernel kernel = device.load(text).kernels().get("test");
      long begun = device.ints(0);
      AtomicReference<PtxTrap.Kind> ended = new AtomicReference<>();
      Thread runs =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      device.launch(kernel, Dim3.of(2), Dim3.of(33), 0, begun);
                    } catch (PtxTrap trap) {
                      ended.set(trap.kind());
                    }
                  });
      Patience.until("it runs", () -> device.ints(begun, 1)[0] == 1);
      device.cancel();
      Patience.join(runs);
      return ended.get();
    }
  }

  @Test
  void kernelRunsAgainAfterATrap() throws PtxTrap {
    String text =
        Source.kernel(
            "ld.global.u64 %d1, [%out+8];\nld.global.u32 %r1, [%d1];\nst.global.u32 [%out], %r1;");
    try (Device device = new Device(1 << 16)) {
      PtxKernel kernel = device.load(text).kernels().get("test");
      long bad = device.ints(0, 0, 0, 0);
      assertThrows(PtxTrap.class, () -> device.launch(kernel, Dim3.of(1), Dim3.of(1), 0, bad));
      long word = device.ints(99);
      long good = device.ints(0, 0, (int) word, (int) (word >>> 32));
      device.launch(kernel, Dim3.of(1), Dim3.of(1), 0, good);
      assertArrayEquals(new int[] {99}, device.ints(good, 1));
    }
  }
}
