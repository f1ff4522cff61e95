// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

import static io.outboard.softgpu.Program.ok;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.outboard.cuda.CudaResult;
import io.outboard.softgpu.image.Containers;
import org.junit.jupiter.api.Test;

/** A kernel that needs what is not implemented is refused at its launch, and says why. */
class RefusedKernelTest extends DriverTest {
  private static final String TEXT =
      """
      .version 8.5
      .target sm_90a
      .address_size 64
      .func helper() {
        wgmma.fence.sync.aligned;
        ret;
      }
      .visible .entry refused(.param .u64 out) {
        .reg .b32 %r<12>;
        call helper;
        ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%r2];
        wgmma.fence.sync.aligned;
        ret;
      }
      .visible .entry store(.param .u64 out) {
        .reg .b64 %out;
        ld.param.u64 %out, [out];
        st.global.u32 [%out], 42;
        ret;
      }
      """;

  private static final String MESSAGE =
      """
      kernel 'refused' cannot run on the software GPU; of its PTX for sm_90a this is not implemented:
        wgmma.fence.sync.aligned (no supported type), lines 5, 12
        ldmatrix.sync.aligned.m8n8.x1.shared.b16, line 11
      """;

  @Test
  void theLaunchIsRefusedWithItsReasonAndTheContextGoesOn() {
    long module = program().module(TEXT);
    assertEquals("", console().messages());
    long refused = program().function(module, "refused");
    long memory = program().array(0);
    assertEquals(CudaResult.NOT_SUPPORTED, program().launchOne(refused, 0, memory));
    assertEquals(CudaResult.NOT_SUPPORTED, program().launchOne(refused, 0, memory));
    assertEquals(MESSAGE, console().messages());
    assertEquals(CudaResult.NOT_SUPPORTED, driver().cuFuncLoad(refused));
    ok(program().launchOne(program().function(module, "store"), 0, memory));
    ok(driver().cuCtxSynchronize());
    assertArrayEquals(new int[] {42}, program().read(memory, 1));
  }

  @Test
  void aKernelOfALibraryIsRefusedInEveryContext() {
    byte[] image = Containers.bytes(TEXT);
    long out = program().out();
    ok(driver().cuLibraryLoadData(out, program().image(image), image.length));
    long library = program().value();
    ok(driver().cuLibraryGetKernel(out, library, program().text("refused")));
    long kernel = program().value();
    assertEquals(CudaResult.NOT_SUPPORTED, program().launchOne(kernel, 0, 0L));
    ok(driver().cuCtxCreate_v2(out, 0, 1));
    assertEquals(CudaResult.NOT_SUPPORTED, program().launchOne(kernel, 0, 0L));
    assertEquals(MESSAGE + MESSAGE, console().messages());
  }

  @Test
  void aMistakeStillRefusesTheModule() {
    byte[] image = Containers.bytes(TEXT.replace("wgmma", "wgmna"));
    int result = driver().cuModuleLoadData(program().out(), program().image(image), image.length);
    assertEquals(CudaResult.INVALID_PTX, result);
    assertEquals(
        """
        PTX 5:3: wgmna.fence.sync.aligned: unknown instruction
        12:3: wgmna.fence.sync.aligned: unknown instruction
        """,
        console().messages());
  }
}
