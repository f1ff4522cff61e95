// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator;

/** How far away the other side of a connection is. */
public enum Distance {
  /** A process of this machine: its end closes the connection. */
  SAME_MACHINE,

  /** The host of this virtual machine, or a guest of this host. */
  HYPERVISOR,

  /** Another machine. */
  NETWORK;

  /**
   * Whether the other side may end and leave the connection open, so that one that says nothing is
   * taken for lost.
   */
  public boolean silenceIsLoss() {
    return this != SAME_MACHINE;
  }
}
