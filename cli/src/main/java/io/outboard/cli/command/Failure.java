// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.command;

import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;

/** Something that the user can understand without a stack trace; ends the command with status 1. */
public final class Failure extends Exception {
  public Failure(String message) {
    super(message);
  }

  public Failure(Exception cause) {
    super(text(cause), cause);
  }

  /** The message of what a file does not allow is the file's name and nothing else. */
  private static String text(Exception cause) {
    return switch (cause) {
      case AccessDeniedException e -> e.getFile() + ": this user may not do that there";
      case NoSuchFileException e -> e.getFile() + ": there is no such file or folder";
      case FileAlreadyExistsException e -> e.getFile() + ": that is there, and is no folder";
      default -> cause.getMessage();
    };
  }
}
