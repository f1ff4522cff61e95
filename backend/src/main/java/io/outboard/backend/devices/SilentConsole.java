// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.devices;

import io.outboard.softgpu.base.DeviceConsole;

/** The output of a software GPU that nobody reads. */
public record SilentConsole() implements DeviceConsole {
  @Override
  public void output(String text) {}

  @Override
  public void error(String text) {}

  @Override
  public void message(String line) {}
}
