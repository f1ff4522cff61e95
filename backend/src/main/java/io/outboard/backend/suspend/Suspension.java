// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.suspend;

import java.util.List;

/**
 * How what a session has on its devices is put aside and brought back. Its calls are held back, and
 * nothing works.
 */
public interface Suspension {
  /**
   * Puts it aside.
   *
   * @throws SuspensionException if that is not possible: then the session can go on as it is
   */
  void putAside() throws SuspensionException;

  /**
   * Whether it can be brought back to other devices of the same model.
   *
   * @throws SuspensionException if that cannot be found out
   */
  boolean canMove() throws SuspensionException;

  /**
   * Brings it back.
   *
   * @param moves what goes to other devices than it was on; the rest goes where it was
   * @throws SuspensionException if that is not possible now; it may be later
   */
  void bringBack(List<DeviceMove> moves) throws SuspensionException;
}
