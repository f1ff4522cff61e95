// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.monitoring;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/**
 * A folder from which APEL's sender of messages (SSM) takes files: either any file in it ({@code
 * path_type: directory}) or a directory queue ({@code dirq}), whose elements lie in folders of
 * eight hexadecimal digits and have names of fourteen (the module Directory::Queue::Simple). A file
 * is written beside and renamed, so that none is taken before it is whole.
 */
public final class Spool {
  private static final int GRANULARITY_SECONDS = 60;
  private static final int THOUSAND = 1_000;
  private static final int DIGIT = 16;

  private final Path folder;
  private final boolean queue;
  private final InstantSource clock;
  private final RandomGenerator random;

  /**
   * Uses a folder, which is made where it is missing.
   *
   * @param queue whether it is a directory queue
   */
  public Spool(Path folder, boolean queue) {
    this(folder, queue, InstantSource.system(), RandomGenerator.getDefault());
  }

  Spool(Path folder, boolean queue, InstantSource clock, RandomGenerator random) {
    this.folder = folder;
    this.queue = queue;
    this.clock = clock;
    this.random = random;
  }

  /** Adds a message; returns its file. */
  public Path add(String message) throws IOException {
    Instant now = clock.instant();
    Path to = queue ? folder.resolve(folderName(now)) : folder;
    Files.createDirectories(to);
    Path file = to.resolve(queue ? name(now) : name(now) + ".json");
    while (Files.exists(file)) {
      file = to.resolve(queue ? name(now) : name(now) + ".json");
    }
    Path beside = folder.resolve("." + file.getFileName() + ".tmp");
    Files.writeString(beside, message, UTF_8);
    return Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private static String folderName(Instant now) {
    return "%08x".formatted(now.getEpochSecond() / GRANULARITY_SECONDS * GRANULARITY_SECONDS);
  }

  private String name(Instant now) {
    return "%08x%05x%01x"
        .formatted(now.getEpochSecond(), now.getNano() / THOUSAND, random.nextInt(DIGIT));
  }
}
