// SPDX-License-Identifier: Apache-2.0
package io.outboard.spec;

/** What a function needs before it does anything. */
public enum Need {
  /** The library is initialised in this process. */
  INITIALIZED,
  /** A usable context is current in the thread. */
  CURRENT_CONTEXT
}
