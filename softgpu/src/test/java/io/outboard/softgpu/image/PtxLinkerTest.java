// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.image;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.cuda.CudaResult;
import io.outboard.ptx.PtxModule;
import org.junit.jupiter.api.Test;

class PtxLinkerTest {
  private static final String HEADER = ".version 6.3\n.target sm_75\n.address_size 64\n";
  private static final String USE =
      HEADER
          + ".extern .global .align 4 .u32 shared_one;\n.global .align 4 .u32 own = 1;\n"
          + ".visible .entry use()\n{\n.reg .b32 %r<3>;\nld.global.u32 %r1, [shared_one];\n"
          + "st.global.u32 [own], %r1;\nret;\n}\n";
  private static final String GIVE =
      HEADER
          + "// shared_one is .extern elsewhere\n.visible .global .align 4 .u32 shared_one = 7;\n"
          + ".global .align 4 .u32 own = 2;\n"
          + ".visible .entry give()\n{\n.reg .b32 %r<3>;\nld.global.u32 %r1, [own];\nret;\n}\n";

  @Test
  void declarationsMeetDefinitionsAndOwnNamesStayApart() throws Exception {
    PtxLinker linker = new PtxLinker();
    linker.add(USE);
    linker.add(GIVE);
    String linked = linker.link();
    assertFalse(linked.contains(".extern .global"), linked);
    assertTrue(linked.contains("own$linked1"), linked);
    assertEquals(1, linked.split("\\.version", -1).length - 1);
    PtxModule module = PtxModule.parse(linked);
    assertEquals(2, module.kernels().size());
  }

  @Test
  void whatNobodyDefinesIsAnError() {
    PtxLinker linker = new PtxLinker();
    linker.add(USE);
    ImageException missing = assertThrows(ImageException.class, linker::link);
    assertEquals(CudaResult.INVALID_SOURCE, missing.result());
    assertTrue(missing.getMessage().contains("shared_one"), missing.getMessage());
  }
}
