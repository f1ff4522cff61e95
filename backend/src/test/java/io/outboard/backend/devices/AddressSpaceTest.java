// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.devices;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.outboard.backend.launch.WorkerLauncher;
import io.outboard.backend.library.DeviceException;
import io.outboard.communicator.posix.Memory;
import io.outboard.communicator.posix.Processes;
import io.outboard.softgpu.SoftGpu;
import io.outboard.wire.Slot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/**
 * The part of a worker's address space that is left to a driver, and the free parts found later.
 */
class AddressSpaceTest {
  private static final List<String> MAPS =
      List.of(
          "00001000-00003000 r--p 00000000 08:01 42 /bin/program",
          "00005000-00006000 rw-p 00000000 00:00 0",
          "ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0 [vsyscall]");

  private static AddressSpace.Range range(long begin, long end) {
    return new AddressSpace.Range(begin, end);
  }

  @Test
  void gapsAreWhatNothingIsMappedAt() {
    assertEquals(
        List.of(range(0x3000, 0x5000), range(0x6000, 0x8000)),
        AddressSpace.gaps(MAPS, range(0x2000, 0x8000)));
    assertEquals(List.of(range(0x3800, 0x4000)), AddressSpace.gaps(MAPS, range(0x3800, 0x4000)));
    assertEquals(List.of(), AddressSpace.gaps(MAPS, range(0x1000, 0x3000)));
  }

  @Test
  void theSlotAndTheHeapsRoomStayFree() {
    for (int number = 0; number < Slot.MOST; number++) {
      Slot slot = new Slot(number);
      for (AddressSpace.Range blocked : AddressSpace.blocked(slot)) {
        for (long begin : new long[] {slot.lower(), slot.upper()}) {
          assertTrue(blocked.end() <= begin || blocked.begin() >= begin + Slot.BYTES);
        }
        assertFalse(blocked.begin() <= AddressSpace.HEAP && blocked.end() > AddressSpace.HEAP);
      }
    }
  }

  /** The kernel's choice of an address for a mapping stands in for a driver's. */
  @Test
  void aWorkersMappingsLieInItsSlot() throws Exception {
    try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
      int before = thread.submit(() -> Processes.personality(Processes.ADDR_COMPAT_LAYOUT)).get();
      assumeTrue(before >= 0, "the legacy memory layout is not permitted here");
      for (int number : new int[] {0, 3, Slot.MOST - 1}) {
        assertEquals("inside", thread.submit(() -> confined(number)).get());
      }
    }
  }

  private static String confined(int slot) throws Exception {
    return worker(List.of(), Confined.class, Integer.toString(slot));
  }

  private static String worker(List<String> options, Class<?> program, String argument)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(WorkerLauncher.OPTIONS);
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
    command.add(argument);
    Process worker =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    return new String(worker.getInputStream().readAllBytes(), UTF_8).strip();
  }

  /** A machine with much memory gives a worker a heap of up to 32 GiB. */
  @Test
  void theDriversHeapOfKernelsHasItsRoom() throws Exception {
    assertEquals("free", worker(List.of("-Xmx24g"), HeapOfKernels.class, ""));
  }

  /** Says whether nothing is mapped where the driver wants the heap of kernels. */
  static final class HeapOfKernels {
    private static final AddressSpace.Range HEAP = range(0x2_0000_0000L, AddressSpace.POOLS);

    public static void main(String[] arguments) throws IOException {
      List<String> maps = Files.readAllLines(Path.of("/proc/self/maps"));
      boolean free = AddressSpace.gaps(maps, HEAP).equals(List.of(HEAP));
      System.out.println(free ? "free" : String.join("\n", maps));
    }
  }

  /** A process that confines itself and then maps more than any gap between its mappings has. */
  static final class Confined {
    public static void main(String[] arguments) throws DeviceException {
      Slot slot = new Slot(Integer.parseInt(arguments[0]));
      AddressSpace.confine(slot);
      int flags = Memory.MAP_PRIVATE | Memory.MAP_ANONYMOUS | Memory.MAP_NORESERVE;
      long mapped = Memory.mmap(0, 1L << 40, Memory.PROT_NONE, flags, -1, 0);
      boolean inside = slot.holds(mapped) && slot.holds(mapped + (1L << 40) - 1);
      System.out.println(inside ? "inside" : "outside: " + Long.toHexString(mapped));
    }
  }

  private static SoftGpu.Builder gpu() {
    return SoftGpu.builder(new SilentConsole()).memoryBytes(64 << 20);
  }

  private static void check(SoftGpu gpu, int slot) throws DeviceException {
    assertEquals(0, gpu.cuInit(0));
    new SlotCheck(gpu, new Slot(slot)).run();
  }

  @Test
  void aDriverThatKeepsToItsSlotIsJoined() throws DeviceException {
    check(gpu().devices(2).in(new Slot(3)).build(), 3);
  }

  @Test
  void oneThatDoesNotIsRefused() {
    SoftGpu elsewhere = gpu().build();
    DeviceException refused = assertThrows(DeviceException.class, () -> check(elsewhere, 3));
    assertTrue(refused.getMessage().contains("not in slot 3"), refused.getMessage());
  }
}
