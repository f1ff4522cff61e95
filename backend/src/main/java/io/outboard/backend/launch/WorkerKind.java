// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.launch;

/** What a worker may do to its machine. */
public enum WorkerKind {
  /** What its user may, within the filter of system calls. */
  PLAIN,
  /** Next to nothing (see {@code Confinement}). */
  CONFINED,
  /** Still less, and no GPU: it runs code that a client has sent. */
  CODE;

  /** Whether a starter confines it. */
  boolean isConfined() {
    return this != PLAIN;
  }
}
