// SPDX-License-Identifier: Apache-2.0
package io.outboard.wire;

/**
 * The hosts whose devices one program has, as generated routers see them. Hosts have numbers from
 * 0, which is this one.
 */
public interface Hosts {
  /** No host in particular. */
  int ANY = -1;

  /** More than one, so that no driver can make the call. */
  int SEVERAL = -2;

  /**
   * Whose a value of a handle is; {@link #ANY} where it, or its object, has a meaning everywhere.
   */
  int ofHandle(long value);

  /** Whose device memory an address is. */
  int ofAddress(long address);

  /**
   * The host that gets a call with an address: its owner, else that of the thread's context. The
   * driver there says what is wrong with an address that is nobody's.
   */
  int home(long address);

  /** Whose device it is; {@link #ANY} where the number is none of a device. */
  int ofOrdinal(int ordinal);

  /** The number that a host's driver has for a device. */
  int hostOrdinal(int host, int ordinal);

  /** The value that a host's driver has for an object that each host may have. */
  long valueAt(int host, long handle);

  /** The number that the program has for a device of a host. */
  int programOrdinal(int host, int ordinal);

  /**
   * Makes a context of a host current to the thread, where the thread's own is another host's.
   *
   * @param host {@link #ANY} for that of the thread's own context
   * @return the host
   */
  int enter(int host);

  /** A host has told of a handle or an address that is not its own: nothing it says counts. */
  int lied(int host);

  /** Whose both are. */
  static int join(int one, int other) {
    if (one == ANY || one == other) {
      return other;
    }
    return other == ANY ? one : SEVERAL;
  }
}
