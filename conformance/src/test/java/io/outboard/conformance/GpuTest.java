// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.cuda.CudaResult;
import io.outboard.gpu.Gpu;
import io.outboard.gpu.GpuException;
import io.outboard.gpu.GpuMemory;
import io.outboard.gpu.GpuModule;
import io.outboard.gpu.Grid;
import io.outboard.gpu.Kernel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.function.Executable;

/** Java programs as clients, over the Unix socket; the example also over TCP. */
final class GpuTest {
  private static final Path EXAMPLE = Home.PATH.resolve("examples/java/VectorAdd.java");
  private static final Path PTX = Home.PATH.resolve("examples/cuda/kernels/vectorAdd.ptx");

  @RegisterExtension static final Backend BACKEND = new Backend();

  private Gpu gpu;

  @BeforeEach
  void connect() throws IOException {
    gpu = Gpu.connect("unix:" + BACKEND.socket());
  }

  @AfterEach
  void close() {
    gpu.close();
  }

  @Test
  void theExampleRunsOverEachCommunicatorWithoutNativeCode()
      throws IOException, InterruptedException {
    for (String endpoint : List.of("unix:" + BACKEND.socket(), BACKEND.tcp())) {
      Map<String, String> variables = new HashMap<>(BACKEND.variables(endpoint));
      variables.put("LD_LIBRARY_PATH", "");
      Program.Ended ended =
          Program.run(
              List.of(
                  "/bin/sh",
                  "-c",
                  "cd \"$0\" && exec \"$@\"",
                  Home.PATH.toString(),
                  Home.java(),
                  "--enable-native-access=ALL-UNNAMED",
                  "-cp",
                  Home.classPath(),
                  EXAMPLE.toString()),
              variables);
      assertEquals(0, ended.status(), ended::toString);
      assertTrue(ended.output().contains("vectorAdd: PASSED"), ended::toString);
    }
  }

  @Test
  void theDeviceSaysWhatItIs() {
    assertTrue(gpu.name().contains("Software GPU"), gpu::name);
    assertTrue(gpu.memoryBytes() > 0);
    assertTrue(gpu.computeCapability().matches("\\d+\\.\\d"), gpu::computeCapability);
  }

  @Test
  void memoryKeepsWhatIsWritten() {
    try (GpuMemory memory = gpu.allocate(32)) {
      memory.fill((byte) 7);
      memory.write(1L, 2L);
      assertArrayEquals(
          new long[] {1, 2, 0x0707070707070707L, 0x0707070707070707L}, memory.readLongs());
      memory.write(new int[] {5});
      assertEquals(5, memory.readInts()[0]);
      memory.write(0.5);
      assertEquals(0.5, memory.readDoubles()[0]);
      assertThrows(IndexOutOfBoundsException.class, () -> memory.write(new long[5]));
    }
  }

  @Test
  void largeMemoryIsCopiedWhole() {
    byte[] bytes = new byte[(5 << 20) + 3];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) ((i * 31) >> 3);
    }
    try (GpuMemory memory = gpu.allocate(bytes.length)) {
      memory.write(bytes);
      assertArrayEquals(bytes, memory.readBytes());
    }
  }

  @Test
  void argumentsAreCheckedBeforeALaunch() throws IOException {
    try (GpuModule module = gpu.load(Files.readString(PTX));
        GpuMemory memory = gpu.copyOf(1, 2)) {
      Kernel kernel = module.kernel("vectorAdd");
      Grid grid = Grid.blocks(1, 32);
      String few =
          assertThrows(IllegalArgumentException.class, () -> kernel.launch(grid, memory))
              .getMessage();
      assertEquals("vectorAdd has 4 parameters, not 1", few);
      String wrong =
          assertThrows(
                  IllegalArgumentException.class,
                  () -> kernel.launch(grid, memory, memory, memory, 2L))
              .getMessage();
      assertEquals("parameter 4 of vectorAdd has 4 bytes; Long has 8", wrong);
    }
  }

  @Test
  void errorsAreExceptionsWithTheirNames() {
    GpuException none = assertThrows(GpuException.class, () -> gpu.load("not PTX"));
    assertEquals(CudaResult.INVALID_IMAGE, none.code());
    assertEquals("cuModuleLoadData: error 200 (CUDA_ERROR_INVALID_IMAGE)", none.getMessage());
    assertEquals(
        CudaResult.OUT_OF_MEMORY,
        assertThrows(GpuException.class, () -> gpu.allocate(1L << 50)).code());
  }

  @Test
  void aLaunchThatFailsIsReportedLater() throws IOException {
    try (GpuModule module = gpu.load(Files.readString(PTX))) {
      module.kernel("vectorAdd").launch(Grid.blocks(1, 4096), 0L, 0L, 0L, 1);
      assertEquals(
          CudaResult.INVALID_VALUE, assertThrows(GpuException.class, gpu::synchronize).code());
    }
  }

  @Test
  void eachLaunchReportsThatAKernelHasLostTheContext() {
    String ptx =
        """
        .version 7.0
        .target sm_70
        .address_size 64
        .visible .entry nowhere()
        {
        .reg .b64 %rd<2>;
        mov.u64 %rd1, 0;
        st.global.u32 [%rd1], 1;
        ret;
        }
        """;
    Kernel kernel = gpu.load(ptx).kernel("nowhere");
    kernel.launch(Grid.blocks(1, 1));
    for (Executable call : List.<Executable>of(gpu::synchronize, launch(kernel), launch(kernel))) {
      assertEquals(CudaResult.ILLEGAL_ADDRESS, assertThrows(GpuException.class, call).code());
    }
  }

  private static Executable launch(Kernel kernel) {
    return () -> kernel.launch(Grid.blocks(1, 1));
  }

  @Test
  void modulesHaveVariables() {
    String ptx =
        """
        .version 7.0
        .target sm_70
        .address_size 64
        .visible .global .align 4 .u32 answer = 42;
        """;
    try (GpuModule module = gpu.load(ptx)) {
      assertArrayEquals(new int[] {42}, module.variable("answer").readInts());
      assertEquals(
          CudaResult.NOT_FOUND,
          assertThrows(GpuException.class, () -> module.variable("question")).code());
    }
  }

  @Test
  void whatIsNoBackendIsAnErrorThatNamesIt() {
    IOException none = assertThrows(IOException.class, () -> Gpu.connect("unix:/nowhere.sock"));
    assertFalse(none.getMessage().isBlank());
    assertThrows(IllegalArgumentException.class, () -> Gpu.connect("http://example.org"));
  }
}
