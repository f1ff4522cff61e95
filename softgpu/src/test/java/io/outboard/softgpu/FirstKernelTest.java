// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.outboard.ptx.PtxKernel;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The work of a process before its first program's first kernel. */
class FirstKernelTest {
  @Test
  void theKernelIsOneThatCouldRun() {
    PtxKernel kernel = FirstKernel.make();
    assertEquals(List.of(), kernel.missing());
    assertEquals(12, kernel.parameterBytes());
  }
}
