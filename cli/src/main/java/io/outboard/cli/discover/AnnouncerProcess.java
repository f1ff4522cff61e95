// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.discover;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Keeps an {@link Announcer} at work as long as this process lives. */
final class AnnouncerProcess {
  private static final System.Logger LOG = System.getLogger(AnnouncerProcess.class.getName());
  private static final long FIRST_PAUSE_MS = 1_000;
  private static final long LONGEST_PAUSE_MS = 60_000;

  /** One that has lived so long is worth no longer pause before the next. */
  private static final long LONG_LIFE_NS = 600_000_000_000L;

  private final List<Announcement> announcements;

  private AnnouncerProcess(List<Announcement> announcements) {
    this.announcements = announcements;
  }

  /** Announces these from now on. */
  static void keep(List<Announcement> announcements) {
    AnnouncerProcess process = new AnnouncerProcess(announcements);
    Thread unused =
        Thread.ofPlatform().daemon(true).name("announcer").start(process::startAgainAndAgain);
  }

  private void startAgainAndAgain() {
    long pause = FIRST_PAUSE_MS;
    try {
      while (true) {
        long begun = System.nanoTime();
        int status = start().waitFor();
        LOG.log(System.Logger.Level.DEBUG, "the announcer has ended with {0}", status);
        boolean shortLife = System.nanoTime() - begun < LONG_LIFE_NS;
        pause = shortLife ? Math.min(2 * pause, LONGEST_PAUSE_MS) : FIRST_PAUSE_MS;
        Thread.sleep(pause);
      }
    } catch (IOException e) {
      LOG.log(System.Logger.Level.WARNING, "nothing is announced: {0}", e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** It has no secret: no variable, and no more of this process than the pipe that ends with it. */
  private Process start() throws IOException {
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(
        List.of(
            "-Xmx32m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:-UsePerfData",
            "-XX:+ExitOnOutOfMemoryError",
            "-cp",
            System.getProperty("java.class.path"),
            Announcer.class.getName()));
    announcements.forEach(one -> words.add(one.form().toString()));
    ProcessBuilder builder =
        new ProcessBuilder(words)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().clear();
    return builder.start();
  }
}
