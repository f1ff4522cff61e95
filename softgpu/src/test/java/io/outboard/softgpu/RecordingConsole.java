// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

import io.outboard.softgpu.base.DeviceConsole;

/** Keeps what the device says. */
public final class RecordingConsole implements DeviceConsole {
  private final StringBuilder output = new StringBuilder();
  private final StringBuilder errors = new StringBuilder();
  private final StringBuilder messages = new StringBuilder();

  @Override
  public synchronized void output(String text) {
    output.append(text);
  }

  @Override
  public synchronized void error(String text) {
    errors.append(text);
  }

  @Override
  public synchronized void message(String line) {
    messages.append(line).append('\n');
  }

  synchronized String outputs() {
    return output.toString();
  }

  synchronized String errors() {
    return errors.toString();
  }

  public synchronized String messages() {
    return messages.toString();
  }
}
