// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.host;

/** A PTX state space (PTX ISA, "State Spaces"). */
public enum Space {
  /** Registers. */
  REG,
  /** Device memory, shared by all kernels. */
  GLOBAL,
  /** Read-only device memory. */
  CONST,
  /** Memory of one block. */
  SHARED,
  /** Memory of one thread. */
  LOCAL,
  /** Parameters of a kernel or of a call. */
  PARAM,
  /** The address says which space it is in. */
  GENERIC
}
