// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.serve;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Where a user's kept images are (XDG Base Directory Specification, {@code XDG_CACHE_HOME}). */
final class CacheFolder {
  private CacheFolder() {}

  /** The folder; none where the variables name no home. */
  static Optional<Path> of(Map<String, String> environment) {
    return absolute(environment.get("XDG_CACHE_HOME"))
        .or(() -> absolute(environment.get("HOME")).map(home -> home.resolve(".cache")))
        .map(cache -> cache.resolve("outboard/images"));
  }

  /** The specification has relative paths ignored. */
  private static Optional<Path> absolute(String path) {
    return Optional.ofNullable(path).map(Path::of).filter(Path::isAbsolute);
  }
}
