// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.library;

/** A device that was asked for is not there or cannot be used; the message is for the user. */
public final class DeviceException extends Exception {
  private static final long serialVersionUID = 1L;

  private final boolean unwanted;

  /** Creates one. */
  public DeviceException(String message) {
    this(message, false);
  }

  private DeviceException(String message, boolean unwanted) {
    super(message);
    this.unwanted = unwanted;
  }

  /** One of devices that the operator has not asked for. */
  public static DeviceException unwanted(String message) {
    return new DeviceException(message, true);
  }

  boolean isUnwanted() {
    return unwanted;
  }
}
