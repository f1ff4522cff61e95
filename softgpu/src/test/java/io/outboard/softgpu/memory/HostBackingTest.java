// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.memory;

import static io.outboard.softgpu.Program.ok;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaResult;
import io.outboard.softgpu.Program;
import io.outboard.softgpu.RecordingConsole;
import io.outboard.softgpu.SoftGpu;
import io.outboard.softgpu.profile.DeviceProfile;
import io.outboard.softgpu.profile.HostRoom;
import io.outboard.wire.Native;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A device has the memory that its figures say, as far as the host can back it. */
class HostBackingTest {
  private static final long GIB = 1L << 30;

  private final RecordingConsole console = new RecordingConsole();
  @TempDir private Path root;

  @Test
  void aDeviceIsAsLargeAsItsProfileSays() {
    CudaDriver driver = SoftGpu.builder(console).profile(DeviceProfile.named("a100")).build();
    try (Program program = Program.onDevice(driver)) {
      ok(driver.cuMemGetInfo_v2(program.out(), program.out2()));
      long free = program.value();
      assertEquals(80 * GIB, Native.getLong(program.out2()));
      assertTrue(free > 0 && free <= 80 * GIB, "free " + free);
      ok(driver.cuDeviceTotalMem_v2(program.out(), 0));
      assertEquals(80 * GIB, program.value());
      ok(driver.cuDevicePrimaryCtxReset_v2(0));
    }
  }

  @Test
  void whatTheHostCannotBackIsRefusedAndNothingIsTaken() {
    CudaDriver driver = SoftGpu.builder(console).memoryBytes(SoftGpu.MAX_MEMORY_BYTES / 2).build();
    try (Program program = Program.onDevice(driver)) {
      int result = driver.cuMemAlloc_v2(program.out(), SoftGpu.MAX_MEMORY_BYTES / 4);
      assertEquals(CudaResult.OUT_OF_MEMORY, result);
      assertTrue(console.messages().startsWith("out of memory: 262144 MiB of a software GPU"));
      program.allocate(1 << 20);
      ok(driver.cuDevicePrimaryCtxReset_v2(0));
    }
  }

  @Test
  void whatIsGivenOutCountsUntilItIsTakenBack() {
    HostBacking backing = new HostBacking(() -> 10 * GIB, console);
    assertTrue(backing.give(6 * GIB));
    assertEquals(4 * GIB, backing.left());
    assertFalse(backing.give(5 * GIB));
    assertTrue(backing.give(4 * GIB));
    assertFalse(backing.give(1));
    backing.takeBack(6 * GIB);
    assertTrue(backing.give(6 * GIB));
    assertEquals(
        "out of memory: 5120 MiB of a software GPU were asked for, and the backend's host can back"
            + " 4096 MiB more; a software GPU can be filled as far as its host has memory\n",
        console.messages());
  }

  @Test
  void whatIsTouchedIsNotTakenTwice() {
    AtomicLong room = new AtomicLong(4 << 20);
    HostBacking backing = new HostBacking(room::get, console);
    int file = Mapping.file(4 << 20);
    backing.holds(file);
    assertTrue(backing.give(3 << 20));
    long address = Mapping.shared(2 << 20, file);
    Native.fill(address, 2 << 20, (byte) 1);
    room.addAndGet(-(2 << 20));
    assertEquals(1 << 20, backing.left());
    Mapping.unmap(address, 2 << 20);
    backing.holdsNoMore(file);
    Mapping.close(file);
  }

  @Test
  void theHostHasWhatIsLeftOfItAndOfItsControlGroups() throws IOException {
    write("proc/meminfo", "MemTotal: 9 kB\nMemAvailable:  8192 kB\nSwapFree:  1024 kB\n");
    write("proc/self/cgroup", "1:cpu:/x\n0::/a/b\n");
    HostRoom host = new HostRoom(root);
    assertEquals(9216 << 10, host.bytes());
    write("sys/fs/cgroup/a/b/memory.max", "max\n");
    write("sys/fs/cgroup/a/memory.max", "5000\n");
    write("sys/fs/cgroup/a/memory.current", "4000\n");
    write("sys/fs/cgroup/a/memory.stat", "anon 7\ninactive_file 1500\n");
    assertEquals(2500, host.bytes());
  }

  private void write(String name, String text) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
