// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.socket;

import io.outboard.communicator.posix.Sockets;

/**
 * Lets the kernel find out that a TCP peer's machine or link is gone (tcp(7)): within about half a
 * minute, whether the connection is idle or has bytes on their way. A peer whose process is
 * stopped, in a debugger say, is not lost: its kernel answers.
 */
final class KeepAlive {
  private static final int SO_KEEPALIVE = 9;
  private static final int TCP_KEEPIDLE = 4;
  private static final int TCP_KEEPINTVL = 5;
  private static final int TCP_KEEPCNT = 6;
  private static final int TCP_USER_TIMEOUT = 18;

  private static final int IDLE_SECONDS = 10;
  private static final int INTERVAL_SECONDS = 5;
  private static final int PROBES = 4;
  private static final int UNACKNOWLEDGED_MS = 30_000;

  private KeepAlive() {}

  static void enable(int connection) {
    Sockets.setOption(connection, Sockets.SOL_SOCKET, SO_KEEPALIVE, 1);
    tcp(connection, TCP_KEEPIDLE, IDLE_SECONDS);
    tcp(connection, TCP_KEEPINTVL, INTERVAL_SECONDS);
    tcp(connection, TCP_KEEPCNT, PROBES);
    tcp(connection, TCP_USER_TIMEOUT, UNACKNOWLEDGED_MS);
  }

  private static void tcp(int connection, int option, int value) {
    Sockets.setOption(connection, Sockets.IPPROTO_TCP, option, value);
  }
}
