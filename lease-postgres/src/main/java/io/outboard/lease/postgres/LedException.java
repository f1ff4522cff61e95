// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.postgres;

import io.outboard.lease.store.StoreException;

/** Another broker leads, and nobody else may use the store meanwhile. */
public final class LedException extends StoreException {
  private static final long serialVersionUID = 1L;

  LedException() {
    super("another broker leads, and has the store");
  }
}
