// SPDX-License-Identifier: Apache-2.0
package io.outboard.identity.oidc;

import java.io.IOException;

/** The provider refuses, and would again. */
final class RefusedLoginException extends IOException {
  private static final long serialVersionUID = 1L;

  RefusedLoginException(String message) {
    super(message);
  }
}
