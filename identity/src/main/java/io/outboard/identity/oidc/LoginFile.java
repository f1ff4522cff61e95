// SPDX-License-Identifier: Apache-2.0
package io.outboard.identity.oidc;

import io.outboard.communicator.posix.PrivateFiles;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Where a user's login is kept: {@code ${XDG_CONFIG_HOME:-~/.config}/outboard/login.json}, which
 * nobody else can read.
 *
 * @param file where it is
 */
public record LoginFile(Path file) {
  /** The one of this user. */
  public static LoginFile of(Map<String, String> environment) {
    String configuration = environment.getOrDefault("XDG_CONFIG_HOME", "");
    Path folder =
        configuration.isEmpty()
            ? Path.of(environment.getOrDefault("HOME", "/"), ".config")
            : Path.of(configuration);
    return new LoginFile(folder.resolve("outboard").resolve("login.json"));
  }

  /** Does something with the login. */
  @FunctionalInterface
  public interface Work<T> {
    /** Returns what it gives. */
    T run() throws IOException;
  }

  /**
   * The login; empty where nobody is signed in.
   *
   * @throws IOException if it cannot be read, or others can read it
   */
  public Optional<Login> read() throws IOException {
    try {
      return Optional.of(Login.parse(PrivateFiles.read(file)));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  public void write(Login login) throws IOException {
    PrivateFiles.replace(file, login.json());
  }

  public void remove() throws IOException {
    Files.deleteIfExists(file);
  }

  /**
   * Does something while no other process does: a provider may give the next token once, so that
   * two that ask for it would sign each other out.
   */
  public <T> T alone(Work<T> work) throws IOException {
    PrivateFiles.createFolders(file.getParent());
    Path lock = file.resolveSibling("login.lock");
    try (FileChannel channel =
            FileChannel.open(
                lock,
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(
                    PosixFilePermissions.fromString("rw-------")));
        FileLock held = channel.lock()) {
      if (!held.isValid()) {
        throw new IOException(lock + " cannot be locked");
      }
      return work.run();
    }
  }
}
