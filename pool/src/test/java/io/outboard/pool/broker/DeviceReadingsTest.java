// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.outboard.backend.health.DeviceFigure;
import io.outboard.lease.Form;
import io.outboard.lease.testkit.TestClock;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The known state of devices. */
final class DeviceReadingsTest {
  private final TestClock clock = new TestClock();
  private final DeviceReadings readings = new DeviceReadings(clock);

  private String of(String device, DeviceFigure figure) {
    return readings.addTo(new Form(), device).get(figure.label());
  }

  @Test
  void whatWasNotSaidIsEmptyAndNotZero() {
    readings.state("GPU-1", Map.of(DeviceFigure.UTILIZATION, 0L));
    assertEquals("0", of("GPU-1", DeviceFigure.UTILIZATION));
    assertEquals("", of("GPU-1", DeviceFigure.POWER));
    assertEquals("", of("GPU-2", DeviceFigure.UTILIZATION));
    assertEquals("", readings.addTo(new Form(), "GPU-1").get("busy"));
  }

  @Test
  void whatIsOldIsNotKnownAnyMore() {
    readings.state("GPU-1", Map.of(DeviceFigure.TEMPERATURE, 41L));
    clock.pass(Duration.ofSeconds(30));
    assertEquals("41", of("GPU-1", DeviceFigure.TEMPERATURE));
    clock.pass(Duration.ofSeconds(1));
    assertEquals("", of("GPU-1", DeviceFigure.TEMPERATURE));
  }

  @Test
  void busyTimeIsInMilliseconds() {
    readings.busy("GPU-1", 1_500_000_000L);
    assertEquals("1500", readings.addTo(new Form(), "GPU-1").get("busy"));
  }
}
