// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.service;

/** Until when something is put aside. */
public enum Until {
  /** A program of the lease makes a call, or begins; or as {@link #RESUMED}. */
  CALL,
  /** Somebody resumes the lease. */
  RESUMED
}
