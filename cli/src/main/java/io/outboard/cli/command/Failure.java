// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.command;

import io.outboard.backend.system.FileErrors;

/** Something that the user can understand without a stack trace; ends the command with status 1. */
public final class Failure extends Exception {
  public Failure(String message) {
    super(message);
  }

  public Failure(Exception cause) {
    super(FileErrors.words(cause), cause);
  }
}
