// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator;

/**
 * Where a connection comes from, as this machine's kernel says. Two connections of one peer have
 * equal origins.
 */
public sealed interface Origin {
  /**
   * This process's own user, or root, over a Unix socket and in this process's namespaces.
   *
   * @param user its number
   */
  record Owner(int user) implements Origin {}

  /**
   * A member of the group that may use a Unix socket, or a process of this user's or root's in
   * namespaces of its own, as a container has them.
   *
   * @param user its number
   */
  record Member(int user) implements Origin {}

  /**
   * Another machine, or a process of this one that nobody vouches for.
   *
   * @param address tells peers apart: an address, without the port
   */
  record Remote(String address) implements Origin {}

  /** The same peer where nobody vouches for it. */
  default Remote unvouched() {
    return switch (this) {
      case Owner owner -> new Remote("user " + owner.user());
      case Member member -> new Remote("user " + member.user());
      case Remote remote -> remote;
    };
  }

  /** Whether the kernel vouches for the peer, which then needs no token. */
  default boolean isVouched() {
    return switch (this) {
      case Owner _, Member _ -> true;
      case Remote _ -> false;
    };
  }
}
