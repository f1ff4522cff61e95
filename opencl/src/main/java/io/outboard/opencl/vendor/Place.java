// SPDX-License-Identifier: Apache-2.0
package io.outboard.opencl.vendor;

/**
 * Where a command stands among others.
 *
 * @param queue in which it is
 * @param waits how many events it waits for
 * @param waitList where these lie
 * @param event where its own goes, 0 where none is wanted
 */
public record Place(long queue, int waits, long waitList, long event) {
  /** The same with another place for its event. */
  public Place withEvent(long slot) {
    return new Place(queue, waits, waitList, slot);
  }
}
