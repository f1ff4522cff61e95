// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Kernels that are stopped. */
@Timeout(20)
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

  @Test
  void endlessKernelIsCancelled() throws PtxTrap {
    String text = Source.kernel("for_ever:\nadd.u32 %r1, %r1, 1;\nbra for_ever;\n");
    try (Device device = new Device(1 << 16)) {
      PtxKernel kernel = device.load(text).kernels().get("test");
      Thread canceller =
          Thread.ofPlatform()
              .start(
                  () -> {
                    java.util.concurrent.locks.LockSupport.parkNanos(50_000_000);
                    device.cancel();
                  });
      PtxTrap trap =
          assertThrows(
              PtxTrap.class,
              () -> device.launch(kernel, Dim3.of(8), Dim3.of(32), 0, device.allocate(4)));
      assertEquals(PtxTrap.Kind.CANCELLED, trap.kind());
      assertTrue(canceller.getName() != null);
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
