// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease;

/** How leases with a part of a device use it beside others. */
public enum Sharing {
  /** One after the other, in time slices. */
  TURNS,
  /** As {@link #TURNS}; whole devices too, as nothing else measures how long they are busy. */
  MEASURED_TURNS,
  /** At the same time, each with a part of the multiprocessors, as MPS sees to. */
  MPS
}
