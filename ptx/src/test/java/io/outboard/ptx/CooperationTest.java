// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.ptx.host.Dim3;
import io.outboard.ptx.host.PtxLaunch;
import io.outboard.ptx.host.PtxTrap;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Barriers, warp operations and spinning: all that makes threads wait for each other. */
class CooperationTest {
  private static final String STORE = "st.global.u32 [%my], %r1;\n";

  private static int[] each(int threads, IntUnaryOperator value) {
    return IntStream.range(0, threads).map(value).toArray();
  }

  @Test
  void barrierInDivergentControlFlow() throws PtxTrap {
    String text =
        Source.kernel(
            ".shared .align 4 .b8 box[512];",
            """
            mov.u64 %d1, box;
            mad.wide.u32 %d2, %t, 4, %d1;
            and.b32 %r2, %t, 1;
            setp.eq.u32 %p1, %r2, 0;
            mul.lo.u32 %r3, %t, 3;
            @%p1 bra even;
            add.u32 %r3, %r3, 1000;
            st.shared.u32 [%d2], %r3;
            bar.sync 0;
            bra join;
            even:
            st.shared.u32 [%d2], %r3;
            bar.sync 0;
            join:
            xor.b32 %r4, %t, 1;
            mad.wide.u32 %d3, %r4, 4, %d1;
            ld.shared.u32 %r1, [%d3];
            """
                + STORE);
    int[] expected = each(96, t -> (t ^ 1) * 3 + ((t & 1) == 0 ? 1000 : 0));
    assertArrayEquals(expected, Source.run(text, 96));
  }

  @Test
  void barrierInLoopThatThreadsLeaveEarly() throws PtxTrap {
    String text =
        Source.kernel(
            ".shared .align 4 .u32 sum = 0;".replace(" = 0", ""),
            """
            setp.eq.u32 %p3, %t, 0;
            @%p3 st.shared.u32 [sum], 0;
            mov.u32 %r1, 0;
            and.b32 %r3, %t, 7;
            again:
            bar.sync 0;
            atom.shared.add.u32 %r2, [sum], 1;
            bar.sync 0;
            ld.shared.u32 %r1, [sum];
            setp.eq.u32 %p1, %r3, 0;
            @%p1 bra done;
            sub.u32 %r3, %r3, 1;
            bra again;
            done:
            """
                + STORE);
    int[] left = new int[8];
    int sum = 0;
    for (int round = 0; round < 8; round++) {
      sum += 64 - 8 * round;
      left[round] = sum;
    }
    assertArrayEquals(each(64, t -> left[t & 7]), Source.run(text, 64));
  }

  @Test
  void namedBarrierOfSomeThreads() throws PtxTrap {
    String text =
        Source.kernel(
            ".shared .align 4 .b8 box[4];",
            """
            setp.lt.u32 %p1, %t, 32;
            mov.u32 %r1, 0;
            @%p1 bra produce;
            bar.sync 1, 64;
            ld.shared.u32 %r1, [box];
            bra done;
            produce:
            setp.eq.u32 %p2, %t, 5;
            @%p2 st.shared.u32 [box], 77;
            bar.arrive 1, 64;
            done:
            """
                + STORE);
    assertArrayEquals(each(64, t -> t < 32 ? 0 : 77), Source.run(text, 64));
  }

  @Test
  void barrierReductions() throws PtxTrap {
    String text =
        Source.kernel(
            """
            setp.lt.u32 %p1, %t, 40;
            bar.red.popc.u32 %r1, 0, %p1;
            bar.red.and.pred %p2, 0, %p1;
            bar.red.or.pred %p3, 0, !%p1;
            selp.u32 %r2, 100, 0, %p2;
            selp.u32 %r3, 1000, 0, %p3;
            add.u32 %r1, %r1, %r2;
            add.u32 %r1, %r1, %r3;
            """
                + STORE);
    assertArrayEquals(each(50, _ -> 1040), Source.run(text, 50));
  }

  private static int[] shuffled(String mode, int b, int c) throws PtxTrap {
    String text =
        Source.kernel(
            """
            add.u32 %%r2, %%t, 100;
            shfl.sync.%s.b32 %%r1|%%p1, %%r2, %d, %d, -1;
            @!%%p1 add.u32 %%r1, %%r1, 1000;
            """
                    .formatted(mode, b, c)
                + STORE);
    return Source.run(text, 64);
  }

  @Test
  void shuffles() throws PtxTrap {
    assertArrayEquals(each(64, t -> (t & 31) < 3 ? t + 1100 : t - 3 + 100), shuffled("up", 3, 0));
    assertArrayEquals(
        each(64, t -> (t & 31) + 3 > 31 ? t + 1100 : t + 3 + 100), shuffled("down", 3, 31));
    assertArrayEquals(each(64, t -> (t ^ 5) + 100), shuffled("bfly", 5, 31));
    assertArrayEquals(each(64, t -> (t & ~31) + 9 + 100), shuffled("idx", 9, 31));
    assertArrayEquals(
        each(64, t -> (t & 7) + 2 > 7 ? t + 1100 : t + 2 + 100),
        shuffled("down", 2, (0x18 << 8) | 31));
  }

  @Test
  void shuffleAmongSomeLanesInDivergentCode() throws PtxTrap {
    String text =
        Source.kernel(
            """
            and.b32 %r2, %t, 3;
            setp.eq.u32 %p1, %r2, 0;
            mov.u32 %r1, 7;
            @!%p1 bra done;
            shfl.sync.bfly.b32 %r1, %t, 4, 31, 0x11111111;
            done:
            """
                + STORE);
    assertArrayEquals(each(32, t -> (t & 3) == 0 ? t ^ 4 : 7), Source.run(text, 32));
  }

  @Test
  void shuffleFromLanesThatDoNotTakePart() throws PtxTrap {
    String text =
        Source.kernel(
            """
            setp.ge.u32 %p1, %t, 8;
            mov.u32 %r1, 7;
            @%p1 bra done;
            add.u32 %r2, %t, 100;
            shfl.sync.down.b32 %r1|%p2, %r2, 4, 31, 0xff;
            @!%p2 add.u32 %r1, %r1, 1000;
            done:
            """
                + STORE);
    assertArrayEquals(each(32, t -> t < 4 ? t + 104 : t < 8 ? 0 : 7), Source.run(text, 32));
  }

  @Test
  void partialWarpShuffles() throws PtxTrap {
    String text = Source.kernel("shfl.sync.down.b32 %r1, %t, 1, 31, -1;\n" + STORE);
    assertArrayEquals(each(45, t -> t == 31 ? t : t == 44 ? 0 : t + 1), Source.run(text, 45));
  }

  @Test
  void exitedLanesAreNotWaitedFor() throws PtxTrap {
    String text =
        Source.kernel(
            """
            setp.ge.u32 %p1, %t, 20;
            @%p1 exit;
            vote.sync.ballot.b32 %r1, 1, -1;
            """
                + STORE);
    assertArrayEquals(each(32, t -> t < 20 ? 0xfffff : 0), Source.run(text, 32));
  }

  @Test
  void votesMatchesAndReductions() throws PtxTrap {
    String text =
        Source.kernel(
            """
            and.b32 %r2, %t, 3;
            setp.lt.u32 %p1, %r2, 3;
            vote.sync.all.pred %p2, %p1, -1;
            vote.sync.any.pred %p3, %p1, -1;
            vote.sync.ballot.b32 %r3, %p1, -1;
            selp.u32 %r4, 1, 0, %p2;
            selp.u32 %r5, 2, 0, %p3;
            match.any.sync.b32 %r6, %r2, -1;
            cvt.u64.u32 %d1, %r2;
            match.all.sync.b64 %r7|%p4, %d1, -1;
            redux.sync.add.s32 %r8, %r2, -1;
            redux.sync.max.u32 %r9, %t, -1;
            activemask.b32 %r10;
            add.u32 %r1, %r4, %r5;
            xor.b32 %r1, %r1, %r3;
            xor.b32 %r1, %r1, %r6;
            xor.b32 %r1, %r1, %r7;
            mad.lo.u32 %r1, %r8, 64, %r1;
            add.u32 %r1, %r1, %r9;
            xor.b32 %r1, %r1, %r10;
            """
                + STORE);
    int[] expected =
        each(32, t -> (((2 ^ 0x77777777 ^ (0x11111111 << (t & 3))) + 48 * 64 + 31) ^ -1));
    assertArrayEquals(expected, Source.run(text, 32));
  }

  @Test
  void lockOfALaneInTheSameWarp() throws PtxTrap {
    String text =
        Source.kernel(
            ".global .align 4 .u32 lock = 0;\n.global .align 4 .u32 count = 0;",
            """
            take:
            atom.global.cas.b32 %r2, [lock], 0, 1;
            setp.ne.u32 %p1, %r2, 0;
            @%p1 bra take;
            bar.warp.sync 0;
            """
                    .replace("bar.warp.sync 0;\n", "")
                + """
                ld.volatile.global.u32 %r1, [count];
                add.u32 %r3, %r1, 1;
                st.volatile.global.u32 [count], %r3;
                membar.gl;
                atom.global.exch.b32 %r4, [lock], 0;
                """
                + STORE);
    int[] tickets = Source.run(text, 64);
    Arrays.sort(tickets);
    assertArrayEquals(each(64, t -> t), tickets);
  }

  @Test
  void laneThatWaitsForAnotherInTheSameWarp() throws PtxTrap {
    String text =
        Source.kernel(
            ".global .align 4 .u32 flag = 0;",
            """
            setp.eq.u32 %p1, %t, 40;
            @%p1 st.global.u32 [flag], 5;
            wait:
            ld.acquire.gpu.global.u32 %r1, [flag];
            setp.eq.u32 %p2, %r1, 0;
            @%p2 bra wait;
            """
                + STORE);
    assertArrayEquals(each(64, _ -> 5), Source.run(text, 64));
  }

  @Test
  void threadsThatWaitForEverAreReported() {
    String text =
        Source.kernel(
            """
            setp.lt.u32 %p1, %t, 3;
            @%p1 bra other;
            bar.sync 1;
            bra done;
            other:
            bar.sync 2;
            done:
            """);
    PtxTrap trap = assertThrows(PtxTrap.class, () -> Source.run(text, 8));
    assertEquals(PtxTrap.Kind.TRAP, trap.kind());
    assertTrue(trap.getMessage().contains("wait for each other"), trap.getMessage());
  }

  @Test
  void atomicsOfBlocksOnSeveralCores() throws PtxTrap {
    String text =
        Source.kernel(
            """
            mov.u32 %r2, 0;
            more:
            atom.global.add.u32 %r3, [%out], 1;
            red.global.add.f32 [%out+4], 0f3F800000;
            atom.global.max.u32 %r3, [%out+8], %r2;
            add.u64 %d1, %out, 16;
            red.global.add.u64 [%d1], 3;
            add.u32 %r2, %r2, 1;
            setp.lt.u32 %p1, %r2, 20;
            @%p1 bra more;
            """);
    try (Device device = new Device(1 << 20)) {
      long out = device.allocate(24);
      PtxKernel kernel = device.load(text).kernels().get("test");
      device.launch(kernel, Dim3.of(100), Dim3.of(128), 0, out);
      int count = 100 * 128 * 20;
      assertArrayEquals(new int[] {count}, device.ints(out, 1));
      assertArrayEquals(new float[] {count}, device.floats(out + 4, 1));
      assertArrayEquals(new int[] {19, 0, 3 * count, 0}, device.ints(out + 8, 4));
    }
  }

  /** Thread 0 of each block adds 1 to a counter behind the results, and waits for all blocks. */
  private static String meeting(int blocks, String before) {
    return Source.kernel(
        "",
        """
        mov.u32 %%r9, %%ctaid.x;
        mov.u32 %%r8, %%ntid.x;
        mad.lo.u32 %%r7, %%r9, %%r8, %%t;
        mad.wide.u32 %%my, %%r7, 4, %%out;
        mov.u32 %%r20, %%envreg2;
        mov.u32 %%r21, %%envreg1;
        mov.b64 %%d1, {%%r20, %%r21};
        %s
        setp.ne.u32 %%p1, %%t, 0;
        @%%p1 bra meet;
        atom.add.release.gpu.u32 %%r2, [%%d1+4], 1;
        again:
        ld.acquire.gpu.u32 %%r3, [%%d1+4];
        setp.lt.u32 %%p2, %%r3, %d;
        @%%p2 bra again;
        meet:
        bar.sync 0;
        ld.global.u32 %%r1, [%%d1+4];
        """
                .formatted(before, blocks)
            + STORE);
  }

  private static int[] meet(int blocks, int parallelism, String before) throws PtxTrap {
    try (Device device = new Device(1 << 20, parallelism)) {
      long out = device.allocate(4L * blocks * 64);
      device.cooperate(device.allocate(PtxLaunch.WORKSPACE));
      PtxKernel kernel = device.load(meeting(blocks, before)).kernels().get("test");
      device.launch(kernel, Dim3.of(blocks), Dim3.of(64), 0, out);
      return device.ints(out, blocks * 64);
    }
  }

  @Test
  void blocksOfACooperativeLaunchWaitForEachOther() throws PtxTrap {
    assertArrayEquals(each(40 * 64, _ -> 40), meet(40, 2, ""));
  }

  @Test
  void oneWorkerRunsThemAll() throws PtxTrap {
    assertArrayEquals(each(7 * 64, _ -> 7), meet(7, 1, ""));
  }

  @Test
  void aTrapEndsThoseThatWait() {
    String trap = "setp.eq.u32 %p5, %r9, 3;\n@%p5 trap;\n";
    PtxTrap ended = assertThrows(PtxTrap.class, () -> meet(9, 2, trap));
    assertTrue(ended.getMessage().contains("block (3,0,0)"), ended.getMessage());
  }
}
