// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.system;

import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;

/** An exception's reason, in words for people. */
public final class FileErrors {
  private FileErrors() {}

  /** The message of what a file does not allow is the file's name and nothing else. */
  public static String words(Exception cause) {
    return switch (cause) {
      case AccessDeniedException e -> e.getFile() + ": this user may not do that there";
      case NoSuchFileException e -> e.getFile() + ": there is no such file or folder";
      case FileAlreadyExistsException e -> e.getFile() + ": that is there, and is no folder";
      default -> cause.getMessage();
    };
  }
}
