// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Keeps the real GPUs awake while a backend runs. A driver without a persistence daemon puts a GPU
 * to sleep when the last process closes its device file, and waking it takes the next program
 * ({@code cuInit}) a fifth of a second on an H200 (Driver Persistence, "Background"). Holding the
 * file open is enough, and takes no memory of the device.
 *
 * <p>A device that cannot be opened is left alone: a session says what is wrong with it.
 */
final class HeldDevices implements AutoCloseable {
  private static final Path FOLDER = Path.of("/dev");
  private static final String NAMES = "nvidia[0-9]*";

  private final List<FileChannel> files = new ArrayList<>();
  private boolean closed;

  /** Holds those that a backend serves; waking them takes a while and happens meanwhile. */
  static HeldDevices of(String devices) {
    HeldDevices held = new HeldDevices();
    if (!CudaDevices.areSoftware(devices)) {
      Thread.ofPlatform().name("hold-devices").daemon(true).start(() -> held.hold(FOLDER));
    }
    return held;
  }

  /** Opens the device files in a folder, one by one. */
  void hold(Path folder) {
    try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, NAMES)) {
      found.forEach(this::open);
    } catch (IOException e) {
      Log.debug("no device files: " + e.getMessage());
    }
  }

  private void open(Path file) {
    try {
      keep(FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE));
    } catch (IOException e) {
      Log.debug("a device cannot be held open: " + e.getMessage());
    }
  }

  private synchronized void keep(FileChannel file) throws IOException {
    if (closed) {
      file.close();
    } else {
      files.add(file);
    }
  }

  /** How many are held. */
  synchronized int count() {
    return files.size();
  }

  @Override
  public synchronized void close() {
    closed = true;
    for (FileChannel file : files) {
      try {
        file.close();
      } catch (IOException e) {
        Log.debug("a device file: " + e.getMessage());
      }
    }
    files.clear();
  }
}
