// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease;

import java.util.Locale;

/** How the devices of a lease are used. */
public enum LeaseMode {
  /** By programs that this backend serves. */
  REMOTE,
  /**
   * By a container or a virtual machine of this host, natively: the devices are handed over whole,
   * and the backend lets nobody have them meanwhile.
   */
  DEVICE,
  /**
   * The same with slices of GPUs that are cut (MIG), by containers: the other slices of such a GPU
   * stay here.
   */
  MIG;

  /**
   * Whether the devices are out of this backend's hands, so that it cannot know when they are used
   * no more: somebody has to say so.
   */
  public boolean handsOver() {
    return this != REMOTE;
  }

  /** Its name for people and for stores. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * That of a label.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static LeaseMode of(String label) {
    return valueOf(label.toUpperCase(Locale.ROOT));
  }
}
