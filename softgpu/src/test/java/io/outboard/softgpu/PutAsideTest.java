// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

import static io.outboard.softgpu.Program.ok;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.cuda.CudaResult;
import io.outboard.wire.Native;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PutAsideTest extends DriverTest {
  private static final int WORDS = 100_000;
  private static final int PAGE = 4096;
  private static final long MAPPED = 2L << 20;

  @TempDir private Path folder;

  private SoftGpu gpu() {
    return (SoftGpu) driver();
  }

  private int[] fill(long address) {
    int[] words = new Random(7).ints(WORDS).toArray();
    long host = program().bytes(WORDS * Integer.BYTES);
    for (int i = 0; i < WORDS; i++) {
      Native.putInt(host + 4L * i, words[i]);
    }
    ok(driver().cuMemcpyHtoD_v2(address, host, WORDS * 4L));
    return words;
  }

  @Test
  void whatADeviceHoldsComesBack() throws IOException {
    long untouched = program().allocate(1 << 20);
    long address = program().allocate(WORDS * 4L);
    int[] words = fill(address);
    assertTrue(gpu().heldBytes() >= WORDS * 4L);
    assertTrue(gpu().heldBytes() < WORDS * 4L + 3 * PAGE, "what was never touched costs nothing");
    SoftGpu.PutAside aside = gpu().putAside(folder);
    assertEquals(0, gpu().heldBytes());
    assertEquals(0, files(), "the file has no name");
    aside.bringBack();
    assertArrayEquals(words, program().read(address, WORDS));
    assertEquals(0, program().read(untouched, 1)[0]);
    // Again, and after a change.
    ok(driver().cuMemsetD32_v2(address, 5, 1));
    gpu().putAside(folder).bringBack();
    words[0] = 5;
    assertArrayEquals(words, program().read(address, WORDS));
  }

  private long files() throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.count();
    }
  }

  /** One piece of memory at two addresses. */
  @Test
  void memoryWithAddressesOfTheProgramsChoiceComesBack() throws IOException {
    long memory = program().physical(MAPPED);
    long address = program().mapped(memory, MAPPED);
    long second = program().mapped(memory, MAPPED);
    int[] words = fill(address);
    assertTrue(gpu().heldBytes() >= WORDS * 4L);
    SoftGpu.PutAside aside = gpu().putAside(folder);
    assertEquals(0, gpu().heldBytes());
    aside.bringBack();
    assertArrayEquals(words, program().read(address, WORDS));
    assertArrayEquals(words, program().read(second, WORDS));
    ok(driver().cuMemsetD32_v2(second, 5, 1));
    assertEquals(5, program().read(address, 1)[0]);
  }

  @Test
  void withoutRoomAllIsAsBefore() {
    long address = program().allocate(WORDS * 4L);
    int[] words = fill(address);
    assertThrows(IOException.class, () -> gpu().putAside(folder.resolve("none")));
    assertArrayEquals(words, program().read(address, WORDS));
  }

  @Test
  void itIsKnownWhetherSomethingWorks() {
    assertTrue(!gpu().isWorking());
    ok(driver().cuStreamSynchronize(0));
    assertTrue(!gpu().isWorking());
    assertEquals(CudaResult.SUCCESS, driver().cuCtxSynchronize());
  }
}
