// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease;

import java.util.Locale;

/** How firmly a lease has its devices; better classes come first, whatever the priorities. */
public enum ServiceClass {
  /** Before all others; for operators to ask for. */
  GUARANTEED,
  /** As soon as there is room, and then until its end. */
  SHARED,
  /**
   * What nobody better wants: it is suspended when a better class wants its devices, or ended where
   * it cannot be, and goes on when they are free.
   */
  SPARE;

  /** Its name for people and for stores. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * That of a label.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static ServiceClass of(String label) {
    return valueOf(label.toUpperCase(Locale.ROOT));
  }
}
