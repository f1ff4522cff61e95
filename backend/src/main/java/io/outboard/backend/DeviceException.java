// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

/** A device that was asked for is not there or cannot be used; the message is for the user. */
public final class DeviceException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Creates one. */
  public DeviceException(String message) {
    super(message);
  }
}
