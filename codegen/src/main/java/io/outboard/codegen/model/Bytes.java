// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.model;

/** How a call moves bytes between the program and a device. */
public enum Bytes {
  /** Not at all, or inside the call. */
  NONE,
  /** It copies them. */
  COPY,
  /** It fills memory with a value. */
  FILL
}
