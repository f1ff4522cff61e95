// SPDX-License-Identifier: Apache-2.0
package io.outboard.spec;

/** The condition of a function, checked before anything else. */
public enum Need {
  /** The library is initialised in this process. */
  INITIALIZED,
  /** A usable context is current in the thread. */
  CURRENT_CONTEXT
}
