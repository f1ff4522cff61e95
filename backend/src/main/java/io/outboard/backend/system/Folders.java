// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.system;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;

/**
 * Removes folders in which others may have made anything. Each step goes from an open folder to a
 * name in it, so that no link leads elsewhere, whoever puts one there meanwhile.
 */
final class Folders {
  /** Nobody who means well makes deeper ones; each takes a descriptor. */
  private static final int DEEPEST = 32;

  private Folders() {}

  /** Removes those folders and files in a folder whose names begin so. */
  static void removeAll(Path folder, String prefix) {
    try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, prefix + "*")) {
      for (Path one : all) {
        remove(secure(all), one.getFileName(), 0);
      }
    } catch (IOException e) {
      Log.warn("what is old in %s is not removed: %s".formatted(folder, e));
    }
  }

  private static SecureDirectoryStream<Path> secure(DirectoryStream<Path> folder)
      throws IOException {
    if (folder instanceof SecureDirectoryStream<Path> secure) {
      return secure;
    }
    throw new IOException("folders cannot be opened by descriptor here");
  }

  private static void remove(SecureDirectoryStream<Path> parent, Path name, int depth)
      throws IOException {
    if (!isFolder(parent, name)) {
      parent.deleteFile(name);
      return;
    }
    if (depth == DEEPEST) {
      throw new IOException("more than " + DEEPEST + " folders in each other");
    }
    try (SecureDirectoryStream<Path> inner =
        parent.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
      for (Path one : inner) {
        remove(inner, one.getFileName(), depth + 1);
      }
    }
    parent.deleteDirectory(name);
  }

  private static boolean isFolder(SecureDirectoryStream<Path> parent, Path name)
      throws IOException {
    return parent
        .getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
        .readAttributes()
        .isDirectory();
  }
}
