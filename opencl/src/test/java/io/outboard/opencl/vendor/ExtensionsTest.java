// SPDX-License-Identifier: Apache-2.0
package io.outboard.opencl.vendor;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExtensionsTest {
  private static final String COMMAND_BUFFER = "cl_khr_command_buffer";

  private static String remotable(String list, Map<String, Integer> versions) {
    return new String(Extensions.remotable(list.getBytes(UTF_8), versions), UTF_8);
  }

  @Test
  void whatHasFunctionsDoesNotComeThrough() {
    String list =
        "cl_khr_icd cl_khr_fp64  cl_khr_gl_sharing cl_khr_semaphore cl_nv_pragma_unroll"
            + " cl_vendor_something\0";
    assertEquals("cl_khr_icd cl_khr_fp64  cl_nv_pragma_unroll\0", remotable(list, Map.of()));
  }

  @Test
  void whatComesThroughWholeStaysAsItIs() {
    assertEquals("cl_khr_icd   cl_khr_fp64 \0", remotable("cl_khr_icd   cl_khr_fp64 \0", Map.of()));
  }

  @ParameterizedTest
  @CsvSource({"0x8fff,false", "0x9000,true", "0x9003,true", "0x9004,false", "0x400000,false"})
  void commandBuffersComeThroughInTheVersionsWithTheseFunctions(int version, boolean served) {
    assertEquals(
        served ? COMMAND_BUFFER + "\0" : "\0",
        remotable(COMMAND_BUFFER + "\0", Map.of(COMMAND_BUFFER, version)));
    ByteBuffer list = ByteBuffer.allocate(68).order(LITTLE_ENDIAN);
    list.putInt(0, version).put(4, COMMAND_BUFFER.getBytes(UTF_8));
    assertEquals(served ? 68 : 0, Extensions.remotableVersions(list.array()).length);
  }

  @Test
  void commandBuffersOfNobodyKnowsWhichVersionDoNot() {
    assertEquals("\0", remotable(COMMAND_BUFFER + "\0", Map.of()));
    assertEquals("\0", remotable(COMMAND_BUFFER + "_mutable_dispatch\0", Map.of()));
  }

  @Test
  void anEmptyListStaysEmpty() {
    assertEquals("\0", remotable("\0", Map.of()));
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
