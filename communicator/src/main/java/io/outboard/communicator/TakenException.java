// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator;

import java.io.IOException;

/** Somebody else listens at a place already. */
public final class TakenException extends IOException {
  private static final long serialVersionUID = 1L;

  /** That of an endpoint. */
  public TakenException(Endpoint endpoint) {
    super("somebody listens at " + endpoint + " already; --listen names another place");
  }
}
