// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.command;

import io.outboard.backend.system.Log;
import io.outboard.communicator.posix.ServiceManager;
import java.io.IOException;

/** The looks of a service that compares two sides again and again, until it is told to end. */
public final class WatchLoop {
  private final String failing;
  private String said = "";

  /** One look. */
  @FunctionalInterface
  public interface Look {
    /** Looks. */
    void look() throws IOException;
  }

  /**
   * Makes one.
   *
   * @param failing the words before the reason of a failure
   */
  public WatchLoop(String failing) {
    this.failing = failing;
  }

  /** The service has begun: its end is a success from now on, and its manager knows of it. */
  public static void ready() throws IOException {
    // Being told to end is no failure, so the status is not the signal's.
    Runtime.getRuntime().addShutdownHook(new Thread(() -> Runtime.getRuntime().halt(0), "end"));
    ServiceManager.tell(ServiceManager.READY, System.getenv());
  }

  /** Looks once. A failure is said once, and again when it is another. */
  public void look(Look once) {
    try {
      once.look();
      said = "";
    } catch (IOException e) {
      if (!said.equals(e.getMessage())) {
        Log.warn(failing + ": " + e.getMessage());
      }
      said = String.valueOf(e.getMessage());
    }
  }
}
