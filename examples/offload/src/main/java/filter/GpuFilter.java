// SPDX-License-Identifier: Apache-2.0
package filter;

import io.outboard.gpu.Gpu;
import io.outboard.gpu.GpuException;
import io.outboard.gpu.GpuMemory;
import io.outboard.gpu.GpuModule;
import io.outboard.gpu.GpuSource;
import io.outboard.gpu.Grid;
import io.outboard.offload.Offloaded;
import java.io.IOException;
import java.util.Optional;

/** Filters on the GPU of the caller's lease; on the processor where there is none. */
@Offloaded
public final class GpuFilter implements Filter {
  private static final int BLOCK = 128;

  /** A thread for each pixel. */
  private static final String KERNEL =
      """
      .version 7.0
      .target sm_50
      .address_size 64
      .visible .entry blur(
        .param .u64 from, .param .u64 to, .param .u32 width, .param .u32 height)
      {
        .reg .pred %p<3>;
        .reg .b32 %r<20>;
        .reg .b64 %d<6>;
        ld.param.u64 %d0, [from];
        ld.param.u64 %d1, [to];
        ld.param.u32 %r0, [width];
        ld.param.u32 %r1, [height];
        cvta.to.global.u64 %d0, %d0;
        cvta.to.global.u64 %d1, %d1;
        mov.u32 %r2, %ctaid.x;
        mov.u32 %r3, %ntid.x;
        mov.u32 %r4, %tid.x;
        mad.lo.s32 %r2, %r2, %r3, %r4;
        mul.lo.s32 %r3, %r0, %r1;
        setp.ge.s32 %p0, %r2, %r3;
        @%p0 bra DONE;
        rem.s32 %r5, %r2, %r0;
        div.s32 %r6, %r2, %r0;
        sub.s32 %r7, %r0, 1;
        sub.s32 %r8, %r1, 1;
        mov.u32 %r9, 0;
        mov.u32 %r10, -1;
      ROW:
        add.s32 %r12, %r6, %r10;
        max.s32 %r12, %r12, 0;
        min.s32 %r12, %r12, %r8;
        mul.lo.s32 %r12, %r12, %r0;
        mov.u32 %r11, -1;
      COLUMN:
        add.s32 %r13, %r5, %r11;
        max.s32 %r13, %r13, 0;
        min.s32 %r13, %r13, %r7;
        add.s32 %r13, %r13, %r12;
        cvt.s64.s32 %d2, %r13;
        add.s64 %d2, %d0, %d2;
        ld.global.u8 %r14, [%d2];
        add.s32 %r9, %r9, %r14;
        add.s32 %r11, %r11, 1;
        setp.le.s32 %p1, %r11, 1;
        @%p1 bra COLUMN;
        add.s32 %r10, %r10, 1;
        setp.le.s32 %p1, %r10, 1;
        @%p1 bra ROW;
        div.s32 %r9, %r9, 9;
        cvt.s64.s32 %d3, %r2;
        add.s64 %d3, %d1, %d3;
        st.global.u8 [%d3], %r9;
      DONE:
        ret;
      }
      """;

  private final GpuSource source;

  /** Filters with this one. */
  public GpuFilter(GpuSource source) {
    this.source = source;
  }

  @Override
  public Photo blur(Photo photo) throws FilterException {
    PlainFilter.check(photo);
    try {
      Optional<Gpu> gpu = source.gpu();
      return gpu.isPresent() ? blur(gpu.get(), photo) : new PlainFilter().blur(photo);
    } catch (IOException | GpuException e) {
      throw new FilterException(e.getMessage());
    }
  }

  private static Photo blur(Gpu gpu, Photo photo) {
    int pixels = photo.grey().length;
    try (GpuModule module = gpu.load(KERNEL);
        GpuMemory from = gpu.allocate(pixels);
        GpuMemory to = gpu.allocate(pixels)) {
      from.write(photo.grey());
      module
          .kernel("blur")
          .launch(Grid.covering(pixels, BLOCK), from, to, photo.width(), photo.height());
      return new Photo(photo.width(), photo.height(), to.readBytes());
    }
  }

  @Override
  public String where() throws FilterException {
    try {
      return source.gpu().map(Gpu::name).orElse("no GPU");
    } catch (IOException e) {
      throw new FilterException(e.getMessage());
    }
  }
}
