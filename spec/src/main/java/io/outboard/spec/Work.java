// SPDX-License-Identifier: Apache-2.0
package io.outboard.spec;

/** How a call has to do with work of a device. */
public enum Work {
  /**
   * The device's own processors or memory are busy with it: kernels, graphs, fills, and copies
   * within a device or between devices. It is metered where several share a device.
   */
  COMPUTE,
  /**
   * Bytes or values pass between the host and the device, by engines that take no part of what
   * computes. It is not metered.
   */
  COPY,
  /** The call, or its queue, waits for work, or asks whether work is over. It is not metered. */
  WAIT
}
