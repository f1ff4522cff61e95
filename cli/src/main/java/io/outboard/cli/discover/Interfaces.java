// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.discover;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The networks on which others can hear this machine: an address of each interface. */
final class Interfaces {
  private Interfaces() {}

  /** One address of each interface that is up and has multicast, but for loopback. */
  static List<InetAddress> addresses() throws IOException {
    return NetworkInterface.networkInterfaces()
        .filter(Interfaces::isShared)
        .flatMap(one -> address(one).stream())
        .toList();
  }

  private static boolean isShared(NetworkInterface one) {
    try {
      return one.isUp() && one.supportsMulticast() && !one.isLoopback() && !one.isPointToPoint();
    } catch (SocketException e) {
      // It has gone meanwhile.
      return false;
    }
  }

  private static Optional<InetAddress> address(NetworkInterface one) {
    List<InetAddress> all = one.inetAddresses().filter(at -> !at.isLinkLocalAddress()).toList();
    return all.stream()
        .filter(Inet4Address.class::isInstance)
        .findFirst()
        .or(() -> all.stream().findFirst());
  }

  /** Whether who listens at a host is reached at an address of this machine. */
  static boolean isAt(String host, InetAddress address) {
    try {
      return Stream.of(InetAddress.getAllByName(host))
          .anyMatch(at -> at.isAnyLocalAddress() || at.equals(address));
    } catch (UnknownHostException e) {
      return false;
    }
  }
}
