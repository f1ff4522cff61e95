// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

/**
 * How what a session has on its devices is put aside and brought back. Its calls are held back, and
 * nothing works.
 */
interface Suspension {
  /**
   * Puts it aside.
   *
   * @throws SuspensionException if that is not possible: then the session can go on as it is
   */
  void putAside() throws SuspensionException;

  /**
   * Brings it back, to the same devices.
   *
   * @throws SuspensionException if that is not possible now; it may be later
   */
  void bringBack() throws SuspensionException;
}
