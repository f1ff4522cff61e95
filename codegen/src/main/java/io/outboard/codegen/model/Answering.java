// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.model;

import java.util.Locale;

/** How a function is answered. */
public enum Answering {
  /** One round trip. */
  PLAIN,
  /** Posted. */
  ASYNC,
  /** One round trip that may wait in the driver. */
  BLOCKING,
  /** One round trip a process. */
  CACHED,
  /** By the frontend itself. */
  LOCAL,
  /** By the frontend, which calls the function of which it is an older form. */
  SAME,
  /** Not at all: it is not implemented. */
  REFUSED;

  /** The name for tables. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
