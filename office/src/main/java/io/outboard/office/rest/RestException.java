// SPDX-License-Identifier: Apache-2.0
package io.outboard.office.rest;

import java.io.IOException;

/** A server has refused a request; one that does not answer is another {@link IOException}. */
public final class RestException extends IOException {
  private static final long serialVersionUID = 1L;

  public static final int UNAUTHORIZED = 401;
  public static final int NOT_FOUND = 404;
  public static final int CONFLICT = 409;

  private final int status;

  RestException(int status, String detail) {
    super(detail);
    this.status = status;
  }

  /** HTTP's. */
  public int status() {
    return status;
  }
}
