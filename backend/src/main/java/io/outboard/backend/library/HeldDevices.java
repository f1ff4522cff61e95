// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.library;

import java.io.IOException;

/** A session's state on its devices, as far as suspending it goes; for one thread at a time. */
public interface HeldDevices {
  /** Nothing. */
  HeldDevices NONE = new HeldDevices() {};

  /** An unknown state; it counts as work, so that it is never idle. */
  HeldDevices UNKNOWN =
      new HeldDevices() {
        @Override
        public boolean isWorking() {
          return true;
        }
      };

  /** Whether it is a vendor's driver that has it, which others tell to put it aside. */
  default boolean isDrivers() {
    return false;
  }

  /** Whether work is under way that no call waits for. */
  default boolean isWorking() {
    return false;
  }

  /** Bytes that have to be put aside, or more. */
  default long bytes() {
    return 0;
  }

  /**
   * Puts it aside; no call is under way, and no work.
   *
   * @throws IOException if that is not possible: then all is as before
   */
  default void putAside() throws IOException {}

  /** Brings it back. */
  default void bringBack() throws IOException {}
}
