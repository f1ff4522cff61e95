// SPDX-License-Identifier: Apache-2.0
package io.outboard.spec;

/** What the objects of a kind have of a device. Each kind says it, so that no library forgets. */
public enum Holds {
  /** Nothing that a lease bounds. */
  NOTHING,
  /** Memory, or they may: each call that makes one says how much ({@link Takes}). */
  MEMORY,
  /** Work: each call that is given one says what it takes ({@link Takes}, {@link DeviceWork}). */
  WORK
}
