// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.posix;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Builds the structures that name a socket (unix(7), ip(7), ipv6(7), vsock(7)). */
public final class SocketAddress {
  /** Longest path of a Unix socket, in bytes of UTF-8. */
  public static final int PATH = 107;

  private static final ValueLayout.OfShort PORT = JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);
  private static final int PATH_OFFSET = 2;
  private static final int PORT_OFFSET = 2;

  // struct sockaddr_vm: vsock(7).
  private static final int VM_BYTES = 16;
  private static final int VM_PORT = 4;
  private static final int VM_CID = 8;

  private SocketAddress() {}

  /**
   * The address of a Unix socket.
   *
   * @throws IllegalArgumentException if the path is empty or longer than {@link #PATH} bytes
   */
  public static MemorySegment unix(Arena arena, String path) {
    byte[] bytes = path.getBytes(UTF_8);
    if (bytes.length == 0 || bytes.length > PATH) {
      throw new IllegalArgumentException(
          "a Unix socket's path has 1 to "
              + PATH
              + " bytes, this one "
              + bytes.length
              + ": "
              + path);
    }
    MemorySegment address = arena.allocate(PATH_OFFSET + bytes.length + 1L, 8);
    address.set(JAVA_SHORT, 0, (short) Sockets.AF_UNIX);
    MemorySegment.copy(bytes, 0, address, JAVA_BYTE, PATH_OFFSET, bytes.length);
    return address;
  }

  /** The address of a TCP port. */
  public static MemorySegment inet(Arena arena, InetAddress host, int port) {
    byte[] bytes = host.getAddress();
    boolean six = bytes.length == 16;
    MemorySegment address = arena.allocate(six ? 28 : 16, 8);
    address.set(JAVA_SHORT, 0, (short) family(host));
    address.set(PORT, PORT_OFFSET, (short) port);
    MemorySegment.copy(bytes, 0, address, JAVA_BYTE, six ? 8 : 4, bytes.length);
    if (host instanceof Inet6Address scoped) {
      address.set(ValueLayout.JAVA_INT, 24, scoped.getScopeId());
    }
    return address;
  }

  /**
   * The address of a vsock port.
   *
   * @param cid of a virtual machine or its host; all 32 bits set for any
   */
  public static MemorySegment vsock(Arena arena, int cid, int port) {
    MemorySegment address = arena.allocate(VM_BYTES, 8);
    address.set(JAVA_SHORT, 0, (short) Sockets.AF_VSOCK);
    address.set(ValueLayout.JAVA_INT, VM_PORT, port);
    address.set(ValueLayout.JAVA_INT, VM_CID, cid);
    return address;
  }

  /** The family of sockets that reach a host. */
  public static int family(InetAddress host) {
    return host instanceof Inet6Address ? Sockets.AF_INET6 : Sockets.AF_INET;
  }

  /** The port in an address of a TCP or vsock socket. */
  static int port(MemorySegment address) {
    return isVsock(address)
        ? address.get(ValueLayout.JAVA_INT, VM_PORT)
        : address.get(PORT, PORT_OFFSET) & 0xffff;
  }

  private static boolean isVsock(MemorySegment address) {
    return address.get(JAVA_SHORT, 0) == Sockets.AF_VSOCK;
  }

  /**
   * Returns the part of an address that tells peers apart. Of TCP sockets it is the address of
   * IPv4, also where it is written in one of IPv6, else the network of 64 bits that a host of IPv6
   * has for itself; of vsock sockets the number of the virtual machine.
   */
  static String network(MemorySegment address) {
    if (isVsock(address)) {
      return "vsock " + Integer.toUnsignedString(address.get(ValueLayout.JAVA_INT, VM_CID));
    }
    boolean six = address.get(JAVA_SHORT, 0) == Sockets.AF_INET6;
    byte[] bytes = address.asSlice(six ? 8 : 4, six ? 16 : 4).toArray(JAVA_BYTE);
    try {
      InetAddress host = InetAddress.getByAddress(bytes);
      return host instanceof Inet6Address
          ? InetAddress.getByAddress(Arrays.copyOf(Arrays.copyOf(bytes, 8), 16)).getHostAddress()
              + "/64"
          : host.getHostAddress();
    } catch (UnknownHostException e) {
      throw new IllegalStateException("an address has 4 or 16 bytes", e);
    }
  }
}
