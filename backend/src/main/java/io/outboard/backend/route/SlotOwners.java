// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.route;

import io.outboard.wire.Hosts;
import io.outboard.wire.Slot;
import java.util.Arrays;
import java.util.List;

/**
 * Whose a handle or an address is, by the slot that it lies in. A handle of another host has its
 * slot in the bits of the tag, where no value of a driver of this host has a number so small.
 */
final class SlotOwners {
  private static final int TAG_SHIFT = 41;
  private static final int MOST_SPECIAL = 2;

  private final List<RemoteHost> remotes;
  private final int[] hosts = new int[Slot.MOST];

  SlotOwners(List<RemoteHost> remotes) {
    this.remotes = remotes;
    for (int i = 0; i < remotes.size(); i++) {
      hosts[remotes.get(i).slot().number()] = i + 1;
    }
  }

  int ofHandle(long value) {
    if (value >= -1 && value <= MOST_SPECIAL) {
      return Hosts.ANY;
    }
    long slot = value >>> TAG_SHIFT;
    return slot < Slot.MOST ? hosts[(int) slot] : 0;
  }

  int ofAddress(long address) {
    for (int i = 0; i < remotes.size(); i++) {
      if (remotes.get(i).slot().holds(address)) {
        return i + 1;
      }
    }
    return 0;
  }

  /** The host of a slot's number, 0 where there is none. */
  int ofSlot(int number) {
    return number >= 0 && number < hosts.length ? hosts[number] : 0;
  }

  /** The number of a host's slot. */
  int slot(int host) {
    return host == 0 ? 0 : remotes.get(host - 1).slot().number();
  }

  @Override
  public String toString() {
    return Arrays.toString(hosts);
  }
}
