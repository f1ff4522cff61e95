// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator;

import java.io.IOException;
import java.io.Serial;

/**
 * There is no connection, and another try would fail as well until somebody changes what was set
 * up: a certificate or an authority of either side, or a name.
 */
public final class SetupException extends IOException {
  @Serial private static final long serialVersionUID = 1;

  public SetupException(String message, Throwable cause) {
    super(message, cause);
  }
}
