// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.health;

import java.util.Map;

/** Hears what becomes of a backend's devices. Called from any thread. */
public interface DeviceListener {
  /**
   * A device has failed; it stays so until this process ends, or somebody says otherwise.
   *
   * @param device its UUID as the vendor writes it, or its number among the backend's
   * @param why for people, as {@code Xid 79, fallen off the bus}
   */
  default void failed(String device, String why) {}

  /**
   * The energy that a device has used up to now; told every few seconds, where it is measured.
   *
   * @param device its UUID as the vendor writes it
   * @param millijoules since its driver was loaded (NVML, {@code
   *     nvmlDeviceGetTotalEnergyConsumption})
   */
  default void energy(String device, long millijoules) {}

  /**
   * For how long a device has worked up to now, for whomever; told every few seconds, where its
   * driver measures it.
   *
   * @param device its UUID as the vendor writes it
   * @param nanoseconds since some time
   */
  default void busy(String device, long nanoseconds) {}

  /**
   * The present state of a device; told every few seconds.
   *
   * @param device its UUID as the vendor writes it
   * @param figures those that its driver says
   */
  default void state(String device, Map<DeviceFigure, Long> figures) {}
}
