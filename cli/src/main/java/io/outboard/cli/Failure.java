// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli;

/** Something that the user can understand without a stack trace; ends the command with status 1. */
final class Failure extends Exception {
  Failure(String message) {
    super(message);
  }

  Failure(Exception cause) {
    super(cause.getMessage(), cause);
  }
}
