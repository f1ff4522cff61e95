// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.health;

import io.outboard.backend.system.Log;
import io.outboard.backend.system.Pause;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/**
 * That of software GPUs, which fail when a file says so: a line {@code N REASON} for each, to try
 * what happens.
 */
public final class DrilledHealth implements DeviceHealth {
  private static final long LOOK_MS = 500;

  private final Path file;
  private final DeviceListener listener;
  private final Set<String> told = new HashSet<>();
  private volatile boolean closed;

  private DrilledHealth(Path file, DeviceListener listener) {
    this.file = file;
    this.listener = listener;
  }

  public static DrilledHealth start(Path file, DeviceListener listener) {
    DrilledHealth health = new DrilledHealth(file, listener);
    Thread.ofPlatform().name("health").daemon(true).start(health::run);
    return health;
  }

  private void run() {
    while (!closed) {
      try {
        look();
      } catch (IOException e) {
        Log.debug("no drill: " + e);
      }
      Pause.ms(LOOK_MS);
    }
  }

  /** Lines that are there already are told too, once. A line without its end is being written. */
  private void look() throws IOException {
    String text = Files.readString(file);
    text.substring(0, text.lastIndexOf('\n') + 1).lines().filter(told::add).forEach(this::tell);
  }

  private void tell(String line) {
    int middle = line.indexOf(' ');
    if (middle > 0) {
      listener.failed(line.substring(0, middle), line.substring(middle + 1));
    }
  }

  @Override
  public void close() {
    closed = true;
  }
}
