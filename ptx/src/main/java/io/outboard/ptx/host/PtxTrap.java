// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.host;

import java.util.OptionalLong;

/** A kernel that was stopped; the message names kernel, block and thread. */
public final class PtxTrap extends Exception {
  private static final long serialVersionUID = 1L;

  /** Why a kernel was stopped. */
  public enum Kind {
    /** An access outside every memory the kernel has. */
    ILLEGAL_ADDRESS,
    /** An access whose address is not a multiple of its size. */
    MISALIGNED_ADDRESS,
    /** A {@code trap} instruction, or threads that wait for ever. */
    TRAP,
    /** A failed device-side assertion. */
    ASSERT,
    /** The call stack is exhausted. */
    STACK,
    /** The host asked to stop. */
    CANCELLED
  }

  private final Kind kind;
  private final OptionalLong address;

  /** Creates a trap of {@code kind}. */
  public PtxTrap(Kind kind, OptionalLong address, String message) {
    super(message);
    this.kind = kind;
    this.address = address;
  }

  /** Why the kernel was stopped. */
  public Kind kind() {
    return kind;
  }

  /** The address of the access that failed, where it was one. */
  public OptionalLong address() {
    return address;
  }
}
