// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.health;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.StandIn;
import io.outboard.patience.Patience;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real GPUs that fail, with a library in the place of the vendor's management library. */
class HealthHelperTest {
  /** Three devices, whose handles are 1000 and more. */
  private static final String DEVICES =
      """
      int nvmlInit_v2(void) { return INIT; }
      int nvmlDeviceGetCount_v2(unsigned *count) { *count = 3; return 0; }
      int nvmlDeviceGetHandleByIndex_v2(unsigned index, long *device) { *device = 1000 + index; return 0; }
      int nvmlDeviceGetUUID(long device, char *uuid, unsigned bytes) {
        snprintf(uuid, bytes, "GPU-%ld", device - 1000);
        return 0;
      }
      int nvmlDeviceGetMemoryInfo(long device, void *memory) { return device == LOST ? 15 : 0; }
      int nvmlDeviceGetTotalEnergyConsumption(long device, unsigned long long *energy) {
        *energy = 5000000000;
        return device == 1000 ? 0 : 3;
      }
      """;

  /** A program's error of the first device, then one of the second, then nothing any more. */
  private static final String EVENTS =
      """
      static int registered, waits;
      struct event { long device; unsigned long long type, data; unsigned instance, compute; };
      int nvmlEventSetCreate(long *set) { *set = 77; return 0; }
      int nvmlDeviceRegisterEvents(long device, unsigned long long types, long set) {
        if (types != 8 || set != 77) return 2;
        registered++;
        return 0;
      }
      int nvmlEventSetWait_v2(long set, struct event *event, unsigned timeout) {
        if (set != 77 || registered != 3) return 2;
        *event = (struct event){.device = 1000 + waits, .type = 8, .data = waits == 0 ? 13 : 79};
        if (waits++ < 2) return 0;
        sleep(timeout / 1000);
        return 10;
      }
      """;

  /** The first device was busy for 0.3 s of the one second between two of its samples. */
  private static final String SAMPLES =
      """
      struct sample { unsigned long long time, value; };
      int nvmlDeviceGetSamples(long device, int type, unsigned long long since, int *value, unsigned *count, struct sample *samples) {
        if (device != 1000) return 3;
        if (type != 1 || *count < 2) return 2;
        if (since == 5000000) return 6;
        samples[0] = (struct sample){.time = 4000000, .value = 100};
        samples[1] = (struct sample){.time = 5000000, .value = 30};
        *count = 2;
        return 0;
      }
      """;

  @TempDir Path folder;
  private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
  private final DeviceListener listener =
      new DeviceListener() {
        @Override
        public void failed(String device, String why) {
          told.add(device + ": " + why);
        }

        @Override
        public void energy(String device, long millijoules) {
          told.add(device + ": " + millijoules + " mJ");
        }

        @Override
        public void busy(String device, long nanoseconds) {
          told.add(device + ": " + nanoseconds + " ns");
        }
      };

  private Process helper;

  @AfterEach
  void stop() {
    if (helper != null) {
      helper.destroyForcibly();
    }
  }

  private BufferedReader start(String library) throws Exception {
    String headers = "#include <stdio.h>\n#include <unistd.h>\n";
    new StandIn(folder).library("libnvidia-ml.so.1", headers + library);
    helper = process();
    return helper.inputReader();
  }

  /** The next line that does not tell a device's state. */
  private static String next(BufferedReader lines) throws IOException {
    String line = lines.readLine();
    while (line != null && line.startsWith("state ")) {
      line = lines.readLine();
    }
    return line;
  }

  private Process process() throws IOException {
    return new StandIn(folder).process(HealthHelper.class).start();
  }

  private static String devices(int init, int lost) {
    return DEVICES.replace("INIT", "" + init).replace("LOST", "" + lost);
  }

  @Test
  void aDevicesErrorIsNotAPrograms() throws Exception {
    BufferedReader lines = start(devices(0, 0) + EVENTS);
    assertEquals("energy GPU-0 5000000000", next(lines));
    assertEquals("program GPU-0 Xid 13", next(lines));
    assertEquals("failed GPU-1 Xid 79, fallen off the bus", nextFailure(lines));
    assertTrue(helper.isAlive(), "it looks after the others");
  }

  @Test
  void samplesTellForHowLongADeviceHasWorked() throws Exception {
    BufferedReader lines = start(devices(0, 0) + SAMPLES);
    assertEquals("energy GPU-0 5000000000", next(lines));
    assertEquals("busy GPU-0 300000000", next(lines));
    assertEquals("energy GPU-0 5000000000", next(lines));
    assertEquals("busy GPU-0 300000000", next(lines), "there was no sample since");
  }

  @Test
  void whatTheDriverSaysOfADeviceIsToldAndNothingElse() throws Exception {
    String some =
        """
        int nvmlDeviceGetUtilizationRates(long device, unsigned *rates) {
          rates[0] = 37;
          return device == 1000 ? 0 : 3;
        }
        int nvmlDeviceGetPowerUsage(long device, unsigned *power) { *power = 70123; return 0; }
        """;
    String filled =
        devices(0, 0)
            .replace(
                "{ return device == 0 ? 15 : 0; }",
                "{ unsigned long *m = memory; m[0] = 80; m[1] = 50; m[2] = 30; return device == 1002; }");
    BufferedReader lines = start(filled + some);
    List<String> states = lines.lines().filter(line -> line.startsWith("state ")).limit(3).toList();
    assertEquals(
        List.of(
            "state GPU-0 utilization=37 memoryUsed=30 memoryTotal=80 power=70123",
            "state GPU-1 memoryUsed=30 memoryTotal=80 power=70123",
            "state GPU-2 power=70123"),
        states);
    assertEquals(
        Map.of(DeviceFigure.UTILIZATION, 37L, DeviceFigure.POWER, 70_123L),
        StateLine.parse("utilization=37 power=70123"));
  }

  @Test
  void aLostDeviceIsFoundWithoutEvents() throws Exception {
    BufferedReader lines = start(devices(0, 1002));
    assertEquals("failed GPU-2 it is lost", nextFailure(lines));
    assertTrue(helper.isAlive(), "it looks after the others");
  }

  @Test
  void whereThereIsNoDriverItEnds() throws Exception {
    BufferedReader lines = start(devices(9, 0));
    assertNull(lines.readLine());
    assertEquals(0, Patience.exit(helper));
  }

  private static String nextFailure(BufferedReader lines) {
    return lines.lines().filter(line -> line.startsWith("failed ")).findFirst().orElseThrow();
  }

  @Test
  void theDaemonHearsOfIt() throws Exception {
    start(devices(0, 1002) + SAMPLES);
    stop();
    try (DeviceHealth _ = VendorHealth.start(this::process, listener)) {
      assertEquals("GPU-0: 5000000000 mJ", told.take());
      assertEquals("GPU-0: 300000000 ns", told.take());
      assertEquals("GPU-2: it is lost", told.take());
    }
  }

  @Test
  void softwareDevicesFailWhenAFileSaysSo() throws Exception {
    Path file = folder.resolve("drill");
    try (DeviceHealth _ = DrilledHealth.start(file, listener)) {
      Files.writeString(file, "1 it is lost\n0 Xi");
      assertEquals("1: it is lost", told.take());
      Files.writeString(file, "1 it is lost\n0 Xid 79\n");
      assertEquals("0: Xid 79", told.take());
    }
  }
}
