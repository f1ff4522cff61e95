// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

import io.outboard.ptx.PtxKernel;
import io.outboard.ptx.PtxModule;
import io.outboard.softgpu.memory.Mapping;

/**
 * Runs the code of a program's first kernel and first allocation once in a process: the parser, the
 * compiler, and the functions of the C library that map memory. A kernel that is never launched
 * takes that before a program waits for it.
 */
final class FirstKernel {
  private static final long PAGE = 4096;

  /** A loop over an array, as compilers write it. */
  private static final String TEXT =
      """
      .version 6.3
      .target sm_75
      .address_size 64
      .visible .entry first(.param .u64 values, .param .u32 count)
      {
        .reg .pred %p<3>;
        .reg .b32 %r<8>;
        .reg .f32 %f<3>;
        .reg .b64 %rd<5>;
        ld.param.u64 %rd1, [values];
        ld.param.u32 %r1, [count];
        mov.u32 %r2, %ctaid.x;
        mov.u32 %r3, %ntid.x;
        mov.u32 %r4, %tid.x;
        mad.lo.s32 %r5, %r2, %r3, %r4;
        setp.ge.s32 %p1, %r5, %r1;
        @%p1 bra DONE;
        cvta.to.global.u64 %rd2, %rd1;
        mul.wide.s32 %rd3, %r5, 4;
        add.s64 %rd4, %rd2, %rd3;
        mov.u32 %r6, 0;
      AGAIN:
        ld.global.f32 %f1, [%rd4];
        fma.rn.f32 %f2, %f1, %f1, %f1;
        st.global.f32 [%rd4], %f2;
        add.s32 %r6, %r6, 1;
        setp.lt.s32 %p2, %r6, 4;
        @%p2 bra AGAIN;
      DONE:
        ret;
      }
      """;

  private FirstKernel() {}

  /** Makes it; nothing is left of it. */
  static PtxKernel make() {
    Mapping.unmap(Mapping.map(PAGE).address(), PAGE);
    PtxKernel kernel = PtxModule.parse(TEXT).kernels().get("first");
    kernel.compile();
    return kernel;
  }
}
