// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.broker;

import io.outboard.backend.health.DeviceFigure;
import io.outboard.lease.Form;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;

/**
 * The last reports of devices about their state; after a while without news a device's state is
 * unknown. Guarded by the broker's monitor.
 */
final class DeviceReadings {
  /** Devices are asked every five seconds. */
  private static final Duration NEWS = Duration.ofSeconds(30);

  private static final String BUSY = "busy";
  private static final long NANOS = 1_000_000;

  private final InstantSource clock;
  private final Map<String, Reading> readings = new HashMap<>();
  private final Map<String, Long> busy = new HashMap<>();

  private record Reading(Instant when, Map<DeviceFigure, Long> figures) {}

  DeviceReadings(InstantSource clock) {
    this.clock = clock;
  }

  /** As {@link io.outboard.backend.health.DeviceListener#state}. */
  void state(String device, Map<DeviceFigure, Long> figures) {
    readings.put(device, new Reading(clock.instant(), Map.copyOf(figures)));
  }

  /** As {@link io.outboard.backend.health.DeviceListener#busy}. */
  void busy(String device, long nanoseconds) {
    busy.put(device, nanoseconds);
  }

  /** Adds to a row what is known of a device; the rest is empty. */
  Form addTo(Form row, String device) {
    Map<DeviceFigure, Long> figures = figures(device);
    for (DeviceFigure figure : DeviceFigure.values()) {
      row.with(figure.label(), text(figures.get(figure)));
    }
    Long nanoseconds = busy.get(device);
    return row.with(BUSY, text(nanoseconds == null ? null : nanoseconds / NANOS));
  }

  private Map<DeviceFigure, Long> figures(String device) {
    Reading last = readings.get(device);
    boolean isNew = last != null && !last.when().plus(NEWS).isBefore(clock.instant());
    return isNew ? last.figures() : Map.of();
  }

  private static String text(Long number) {
    return number == null ? "" : number.toString();
  }
}
