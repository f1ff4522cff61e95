// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.base;

/** Where the device's words go. Called from any thread. */
public interface DeviceConsole {
  /** Takes the output of kernels ({@code printf}), as it comes. */
  void output(String text);

  /** Takes what kernels write to standard error: the lines of failed assertions. */
  void error(String text);

  /** Takes a line for the user, without its end: why something could not be done. */
  void message(String line);
}
