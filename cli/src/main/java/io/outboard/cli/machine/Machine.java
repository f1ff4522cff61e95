// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.machine;

import java.io.IOException;
import java.net.InetSocketAddress;

/** A virtual machine with a service. To close it is to destroy it. */
public interface Machine extends AutoCloseable {
  /** Whether it is still there, suspended or not. */
  boolean isAlive();

  /** Whether its service takes calls, once it has begun to. */
  boolean isReady();

  /** Where the service is reached. */
  InetSocketAddress service();

  /** Stops it where it stands. */
  void suspend() throws IOException;

  /** Has it go on. */
  void resume() throws IOException;

  /** The text of it that says why it has ended, or does not begin. */
  String said();

  @Override
  void close();
}
