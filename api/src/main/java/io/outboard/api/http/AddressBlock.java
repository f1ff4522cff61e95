// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.http;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

/**
 * The addresses that one party can have at will, which count as one: an address of IPv4, and 64
 * bits of IPv6, as networks give such a block to each machine (RFC 4291, 2.5.1).
 *
 * @param text as it is written in logs
 */
public record AddressBlock(String text) {
  private static final int NETWORK_BYTES = 8;

  /** The block of an address. */
  public static AddressBlock of(InetAddress address) {
    return new AddressBlock(
        address instanceof Inet6Address ? network(address) : address.getHostAddress());
  }

  private static String network(InetAddress address) {
    byte[] bytes = address.getAddress();
    Arrays.fill(bytes, NETWORK_BYTES, bytes.length, (byte) 0);
    try {
      return InetAddress.getByAddress(bytes).getHostAddress() + "/64";
    } catch (UnknownHostException e) {
      throw new IllegalStateException("an address of another length", e);
    }
  }
}
