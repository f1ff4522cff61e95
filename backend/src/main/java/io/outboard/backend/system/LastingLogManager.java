// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.system;

import java.util.logging.LogManager;

/**
 * Has the log go on until the process is gone: the platform's own takes the handlers away as soon
 * as the process is told to end, and what happens while it drains would not be written.
 */
public final class LastingLogManager extends LogManager {
  /** Made by the platform, once. */
  public LastingLogManager() {}

  @Override
  public void reset() {
    // The handlers stay.
  }
}
