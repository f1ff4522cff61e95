// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.health;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.outboard.backend.system.Log;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;

/** That of real GPUs: the daemon's side of a {@link HealthHelper}. */
public final class VendorHealth implements DeviceHealth {
  /** Starts the process, whose output is read. */
  public interface Starter {
    /** Starts it. */
    Process start() throws IOException;
  }

  private static final long PAUSE_MS = 60_000;

  private final Starter starter;
  private final DeviceListener listener;
  // Both are guarded by this object's monitor.
  private Process helper;
  private boolean closed;

  private VendorHealth(Starter starter, DeviceListener listener) {
    this.starter = starter;
    this.listener = listener;
  }

  public static VendorHealth start(Starter starter, DeviceListener listener) {
    VendorHealth health = new VendorHealth(starter, listener);
    Thread.ofPlatform().name("health").daemon(true).start(health::run);
    return health;
  }

  /** One that says by its end that it is of no use is not started again. */
  private void run() {
    try {
      while (begin()) {
        listen();
        if (helper.waitFor() == 0) {
          return;
        }
        Log.debug("the process that looks after the GPUs has ended");
        Thread.sleep(PAUSE_MS);
      }
    } catch (IOException e) {
      Log.warn("nobody looks after the GPUs: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized boolean begin() throws IOException {
    if (!closed) {
      helper = starter.start();
    }
    return !closed;
  }

  /** A line is what is told, a device's UUID, and why it has failed or what it has used. */
  private void listen() throws IOException {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(helper.getInputStream(), US_ASCII))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String[] words = line.split(" ", 3);
        hear(words[0], words[1], words[2]);
      }
    }
  }

  private void hear(String what, String device, String how) {
    switch (what) {
      case HealthHelper.ENERGY -> listener.energy(device, Long.parseLong(how));
      case HealthHelper.BUSY -> listener.busy(device, Long.parseLong(how));
      case HealthHelper.STATE -> listener.state(device, StateLine.parse(how));
      case HealthHelper.PROGRAM ->
          Log.info(device + ": the driver tells " + how + ", an error of a program");
      default -> listener.failed(device, how);
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (helper != null) {
      helper.destroyForcibly();
    }
  }
}
