// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.greeting;

import io.outboard.communicator.posix.PrivateFiles;
import io.outboard.wire.Token;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where a user's token is kept: {@code $XDG_RUNTIME_DIR/outboard/token} if that variable is set,
 * else {@code ${XDG_CONFIG_HOME:-~/.config}/outboard/token}; one line, readable by that user only.
 */
public final class TokenFile {
  /** The variable that holds the token of a client that has no such file. */
  public static final String VARIABLE = "OUTBOARD_TOKEN";

  private TokenFile() {}

  /** Where a backend of this user keeps its token. */
  public static Path path(Map<String, String> environment) {
    return candidates(environment).getFirst();
  }

  /**
   * Returns the token that a client is to use: of the variable, else of the first file that is
   * there.
   *
   * @throws IOException if it is there and cannot be used; the message says why, not what it is
   */
  public static Optional<Token> find(Map<String, String> environment) throws IOException {
    if (isGiven(environment)) {
      return Optional.of(parse(VARIABLE, environment.get(VARIABLE)));
    }
    for (Path file : candidates(environment)) {
      Optional<Token> token = load(file);
      if (token.isPresent()) {
        return token;
      }
    }
    return Optional.empty();
  }

  /**
   * Reads a file's token, if there is such a file.
   *
   * @throws IOException if others may read it, or it is not a token
   */
  public static Optional<Token> load(Path file) throws IOException {
    try {
      return Optional.of(parse(file.toString(), PrivateFiles.read(file)));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  /** Reads a file's token; makes the file with a new one if there is none. */
  public static Token loadOrCreate(Path file) throws IOException {
    Optional<Token> there = load(file);
    if (there.isPresent()) {
      return there.get();
    }
    Token token = Token.random();
    try {
      PrivateFiles.create(file, token.digits() + "\n");
      return token;
    } catch (FileAlreadyExistsException e) {
      return load(file).orElseThrow(() -> new IOException(file + " comes and goes", e));
    }
  }

  /** Whether the variable holds one, so that no file is looked at. */
  public static boolean isGiven(Map<String, String> environment) {
    return !environment.getOrDefault(VARIABLE, "").isEmpty();
  }

  /** The token that a backend of this user asks for: the given one, else that of its file. */
  public static Token ofBackend(Map<String, String> environment) throws IOException {
    return isGiven(environment)
        ? parse(VARIABLE, environment.get(VARIABLE))
        : loadOrCreate(path(environment));
  }

  private static List<Path> candidates(Map<String, String> environment) {
    String configuration = environment.getOrDefault("XDG_CONFIG_HOME", "");
    Path home =
        configuration.isEmpty()
            ? Path.of(environment.getOrDefault("HOME", "/"), ".config")
            : Path.of(configuration);
    Path user = home.resolve("outboard").resolve("token");
    String runtime = environment.getOrDefault("XDG_RUNTIME_DIR", "");
    return runtime.isEmpty() ? List.of(user) : List.of(Path.of(runtime, "outboard", "token"), user);
  }

  private static Token parse(String where, String text) throws IOException {
    try {
      return Token.parse(text);
    } catch (IllegalArgumentException e) {
      throw new IOException(where + ": " + e.getMessage(), e);
    }
  }
}
