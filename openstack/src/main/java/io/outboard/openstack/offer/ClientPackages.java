// SPDX-License-Identifier: Apache-2.0
package io.outboard.openstack.offer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A folder with Debian packages of the client, which plain images read before they have anything
 * else. Each is read once and kept, so that many machines which begin at once share it.
 */
public final class ClientPackages {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9.+_~-]*\\.deb");

  /** Some ten times as long as a client's. */
  private static final long MOST_BYTES = 64 << 20;

  private final Optional<Path> folder;
  private final Map<String, Kept> kept = new HashMap<>();

  private record Kept(FileTime changed, byte[] bytes) {}

  /**
   * Makes it.
   *
   * @param folder empty for no package at all
   */
  public ClientPackages(Optional<Path> folder) {
    this.folder = folder;
  }

  /**
   * A package as it is now, which nobody changes.
   *
   * @param name of the file, whose end is {@code .deb}; nothing else of the folder is read
   * @return empty where there is none
   * @throws IOException if it cannot be read, or has more than 64 MiB
   */
  public synchronized Optional<byte[]> read(String name) throws IOException {
    Optional<Path> file =
        folder
            .filter(unused -> NAME.matcher(name).matches())
            .map(there -> there.resolve(name))
            .filter(Files::isRegularFile);
    if (file.isEmpty()) {
      kept.remove(name);
      return Optional.empty();
    }
    FileTime changed = Files.getLastModifiedTime(file.get());
    Kept there = kept.get(name);
    if (there == null || !there.changed().equals(changed)) {
      there = new Kept(changed, whole(file.get()));
      kept.put(name, there);
    }
    return Optional.of(there.bytes());
  }

  private static byte[] whole(Path file) throws IOException {
    if (Files.size(file) > MOST_BYTES) {
      throw new IOException(file + " has more than %d bytes".formatted(MOST_BYTES));
    }
    return Files.readAllBytes(file);
  }
}
