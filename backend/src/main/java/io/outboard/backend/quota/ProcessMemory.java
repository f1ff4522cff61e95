// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.quota;

import java.util.OptionalLong;

/** How much of a device's memory this process holds, as the device tells it. */
public interface ProcessMemory {
  /** A device that tells nothing. */
  ProcessMemory UNKNOWN = _ -> OptionalLong.empty();

  /**
   * The bytes that this process holds, contexts and code included; empty where that is not told.
   *
   * @param gpu the device's place in the session
   */
  OptionalLong bytes(int gpu);
}
