// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator;

/** An ability of a communicator, beside carrying bytes. */
public enum Capability {
  /** Both sides can map the same memory (see {@link Communicator#region}). */
  REGIONS,

  /** Descriptors pass beside the bytes, that of the memory too. */
  DESCRIPTORS,

  /**
   * A backend at an endpoint needs no proof: reaching it is as hard as the operating system makes
   * it. Elsewhere each side proves that it has the token.
   */
  VOUCHING,

  /** The bytes are encrypted; the listening side has a certificate. */
  ENCRYPTION,

  /** A backend that listens there can be its own client, without further settings. */
  OWN_USE
}
