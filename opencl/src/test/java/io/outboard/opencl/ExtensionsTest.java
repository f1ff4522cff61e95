// SPDX-License-Identifier: Apache-2.0
package io.outboard.opencl;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class ExtensionsTest {
  @Test
  void whatHasFunctionsDoesNotComeThrough() {
    String list =
        "cl_khr_icd cl_khr_fp64  cl_khr_gl_sharing cl_khr_command_buffer cl_nv_pragma_unroll"
            + " cl_vendor_something\0";
    assertEquals(
        "cl_khr_icd cl_khr_fp64 cl_nv_pragma_unroll\0",
        new String(Extensions.remotable(list.getBytes(UTF_8)), UTF_8));
  }

  @Test
  void anEmptyListStaysEmpty() {
    assertEquals(1, Extensions.remotable(new byte[1]).length);
    assertEquals(0, Extensions.remotableVersions(new byte[0]).length);
  }

  @Test
  void entriesWithVersionsAreKeptWhole() {
    ByteBuffer list = ByteBuffer.allocate(2 * 68);
    list.putInt(0, 7).put(4, "cl_khr_external_memory".getBytes(UTF_8));
    list.putInt(68, 9).put(72, "cl_khr_subgroups".getBytes(UTF_8));
    ByteBuffer kept = ByteBuffer.wrap(Extensions.remotableVersions(list.array()));
    assertEquals(68, kept.remaining());
    assertEquals(9, kept.getInt(0));
    assertEquals('s', kept.get(4 + 7));
  }
}
