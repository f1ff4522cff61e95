// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.device;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.outboard.lease.Slice;
import io.outboard.nvml.vendor.VendorNvml;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** GPUs that are cut, with a library in the place of the vendor's management library. */
final class CutGpusTest {
  /**
   * Two GPUs, 100 and 200; the second one has instances at places 0 and 2, 201 and 203. Answers of
   * NVML: 6 is not found, 3 not supported, 2 an invalid argument.
   */
  private static final String GPUS =
      """
      #include <stdio.h>
      #include <string.h>
      static int cuts;
      static long shown;
      static int cut(long d) { return d == 200 && cuts; }
      static int slice(long d) { return d > 200; }
      int nvmlInit_v2(void) {
        FILE *settings = fopen(SETTINGS, "r");
        int read = fscanf(settings, "%d %ld", &cuts, &shown);
        fclose(settings);
        return read == 2 ? 0 : 999;
      }
      int nvmlShutdown(void) { return 0; }
      int nvmlDeviceGetCount_v2(unsigned *n) { *n = 2; return 0; }
      int nvmlDeviceGetHandleByIndex_v2(unsigned i, long *d) { *d = shown ? shown : 100 + 100 * i; return 0; }
      int nvmlDeviceGetIndex(long d, unsigned *i) { *i = d / 100 - 1; return slice(d) ? 3 : 0; }
      int nvmlDeviceIsMigDeviceHandle(long d, unsigned *is) { *is = slice(d); return 0; }
      int nvmlDeviceGetMigMode(long d, unsigned *now, unsigned *next) {
        *now = cut(d);
        *next = 1;
        return slice(d) ? 2 : d == 100 ? 3 : 0;
      }
      int nvmlDeviceGetMaxMigDeviceCount(long d, unsigned *n) { *n = cut(d) ? 7 : 0; return 0; }
      int nvmlDeviceGetMigDeviceHandleByIndex(long d, unsigned i, long *s) {
        *s = d + 1 + i;
        return !cut(d) ? 2 : i == 0 || i == 2 ? 0 : 6;
      }
      int nvmlDeviceGetDeviceHandleFromMigDeviceHandle(long s, long *d) { *d = 200; return slice(s) ? 0 : 2; }
      int nvmlDeviceGetGpuInstanceId(long s, unsigned *id) { *id = 10 + s - 200; return slice(s) ? 0 : 2; }
      int nvmlDeviceGetComputeInstanceId(long s, unsigned *id) { *id = 0; return slice(s) ? 0 : 2; }
      int nvmlDeviceGetAttributes_v2(long s, unsigned *a) { memset(a, 0, 40); a[0] = 16; return slice(s) ? 0 : 3; }
      int nvmlDeviceGetMemoryInfo(long d, unsigned long long *m) { m[0] = d << 20; m[1] = m[2] = 0; return 0; }
      int nvmlDeviceGetCudaComputeCapability(long d, int *a, int *b) { *a = 9; *b = 0; return slice(d) ? 3 : 0; }
      int nvmlDeviceGetName(long d, char *s, unsigned n) {
        snprintf(s, n, slice(d) ? "NVIDIA H200 MIG 1g.18gb" : "NVIDIA H200");
        return 0;
      }
      int nvmlDeviceGetUUID(long d, char *s, unsigned n) { snprintf(s, n, "%s-%ld", slice(d) ? "MIG" : "GPU", d); return 0; }
      """;

  @TempDir private static Path folder;

  /** A process binds it once. */
  private static VendorNvml library;

  @BeforeAll
  static void build() throws Exception {
    Path source = folder.resolve("nvml.c");
    Files.writeString(source, GPUS);
    String target = folder.resolve("libnvidia-ml.so.1").toString();
    String settings = "-DSETTINGS=\"" + folder.resolve("settings") + "\"";
    List<String> build =
        List.of("gcc", "-shared", "-fPIC", settings, "-o", target, source.toString());
    assertEquals(0, new ProcessBuilder(build).inheritIO().start().waitFor());
    library = VendorNvml.load(target, 0);
  }

  /** Whether the second GPU is cut; the one handle that a lease shows, 0 where all are shown. */
  private static List<Device> listed(int cut, int shown) throws IOException {
    Files.writeString(folder.resolve("settings"), cut + " " + shown);
    try (Arena arena = Arena.ofConfined()) {
      return new CutGpus(library, arena).all();
    }
  }

  private static Device slice(int number, int index) {
    int handle = 201 + index;
    return new Device(
        number,
        "NVIDIA H200 MIG 1g.18gb",
        "MIG-" + handle,
        "9.0",
        16,
        (long) handle << 20,
        Optional.of(new Slice("1g.18gb", "GPU-200", 1, index, 11 + index, 0)));
  }

  @Test
  void aGpuThatIsCutIsItsSlices() throws IOException {
    Device whole = new Device(0, "NVIDIA H200", "GPU-100", "9.0", 0, 100L << 20);
    assertEquals(List.of(whole, slice(1, 0), slice(2, 2)), listed(1, 0));
  }

  @Test
  void whereNoneIsCutCudaKnowsMore() throws IOException {
    assertEquals(List.of(), listed(0, 0));
  }

  @Test
  void whoHasALeaseOfASliceIsShownThat() throws IOException {
    assertEquals(slice(0, 2), listed(1, 203).getFirst());
  }
}
