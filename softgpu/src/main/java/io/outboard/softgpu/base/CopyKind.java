// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.base;

/** The ways of copies, as profilers tell them apart ({@code CUpti_ActivityMemcpyKind}). */
public enum CopyKind {
  /** From the program to the device. */
  HOST_TO_DEVICE(1, true, false),
  /** From the device to the program. */
  DEVICE_TO_HOST(2, false, true),
  /** From the program to an array. */
  HOST_TO_ARRAY(3, true, false),
  /** From an array to the program. */
  ARRAY_TO_HOST(4, false, true),
  /** From an array to another. */
  ARRAY_TO_ARRAY(5, false, false),
  /** From an array to the device's memory. */
  ARRAY_TO_DEVICE(6, false, false),
  /** From the device's memory to an array. */
  DEVICE_TO_ARRAY(7, false, false),
  /** In the device's memory. */
  DEVICE_TO_DEVICE(8, false, false),
  /** In the program's memory. */
  HOST_TO_HOST(9, true, true);

  private final int number;
  private final boolean fromHost;
  private final boolean toHost;

  CopyKind(int number, boolean fromHost, boolean toHost) {
    this.number = number;
    this.fromHost = fromHost;
    this.toHost = toHost;
  }

  /** The vendor's number. */
  public int number() {
    return number;
  }

  /** Whether it reads the program's memory. */
  public boolean isFromHost() {
    return fromHost;
  }

  /** Whether it writes the program's memory. */
  public boolean isToHost() {
    return toHost;
  }

  /** Whether the source is an array. */
  public boolean isFromArray() {
    return this == ARRAY_TO_HOST || this == ARRAY_TO_ARRAY || this == ARRAY_TO_DEVICE;
  }

  /** Whether the target is an array. */
  public boolean isToArray() {
    return this == HOST_TO_ARRAY || this == ARRAY_TO_ARRAY || this == DEVICE_TO_ARRAY;
  }

  /** The way between two places, by whether they are the program's or arrays. */
  public static CopyKind between(
      boolean hostSource, boolean arraySource, boolean hostTarget, boolean arrayTarget) {
    if (hostSource) {
      return hostTarget ? HOST_TO_HOST : arrayTarget ? HOST_TO_ARRAY : HOST_TO_DEVICE;
    }
    if (arraySource) {
      return hostTarget ? ARRAY_TO_HOST : arrayTarget ? ARRAY_TO_ARRAY : ARRAY_TO_DEVICE;
    }
    return hostTarget ? DEVICE_TO_HOST : arrayTarget ? DEVICE_TO_ARRAY : DEVICE_TO_DEVICE;
  }
}
