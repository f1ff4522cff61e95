// SPDX-License-Identifier: Apache-2.0
package io.outboard.spec;

/** What of a device a call may take, and a lease may bound. */
public enum Resource {
  /** Nothing that a lease bounds. */
  NOTHING,
  /** Memory of the device, until the object that the call makes has ended. */
  MEMORY,
  /** Time of what computes: the call waits for the lease's time slice. */
  COMPUTE,
  /** The same of what draws. */
  GRAPHICS,
  /** Counters of the device, which tell of all that runs there: for leases that share nothing. */
  PROFILING
}
