// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.health;

/** A figure of a device's present state that its driver may have. */
public enum DeviceFigure {
  /** Percent of the last sampling period in which a kernel ran. */
  UTILIZATION("utilization"),
  /** Bytes in use, by whomever. */
  MEMORY_USED("memoryUsed"),
  /** Bytes that there are. */
  MEMORY_TOTAL("memoryTotal"),
  /** Degrees Celsius. */
  TEMPERATURE("temperature"),
  /** Milliwatts. */
  POWER("power");

  private final String label;

  DeviceFigure(String label) {
    this.label = label;
  }

  /** Its name in lines and rows. */
  public String label() {
    return label;
  }

  /**
   * The one of a name.
   *
   * @throws IllegalArgumentException if there is none
   */
  static DeviceFigure of(String label) {
    for (DeviceFigure figure : values()) {
      if (figure.label.equals(label)) {
        return figure;
      }
    }
    throw new IllegalArgumentException("no figure is called '" + label + "'");
  }
}
