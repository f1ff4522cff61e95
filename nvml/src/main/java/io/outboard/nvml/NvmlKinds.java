// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml;

/** The kinds of handles of the management library; they follow those of CUDA. */
public final class NvmlKinds {
  /** A device. */
  public static final int DEVICE = 32;

  /** A set of events. */
  public static final int EVENT_SET = 33;

  private NvmlKinds() {}
}
