// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.devices;

import io.outboard.softgpu.SoftGpu;

/** What a software GPU has to say is for nobody. */
public record SilentConsole() implements SoftGpu.Console {
  @Override
  public void output(String text) {}

  @Override
  public void error(String text) {}

  @Override
  public void message(String line) {}
}
