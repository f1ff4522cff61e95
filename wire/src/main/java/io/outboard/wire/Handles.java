// SPDX-License-Identifier: Apache-2.0
package io.outboard.wire;

/**
 * A session's handles, as generated dispatchers see them. A handle is a number of the session; its
 * bits are
 *
 * <pre>
 *   46 … 41   40       39 … 34   33 … 20       19 … 0
 *   session   origin   kind      generation    index
 * </pre>
 *
 * so that it looks like an address that is never valid, and a wrong, stale or foreign one is told
 * apart. Values that the vendor gives a meaning of their own (0, 1, 2, −1) are never handles.
 */
public interface Handles {
  /** What {@link #resolve} returns for a handle that is wrong. */
  long INVALID = Long.MIN_VALUE;

  /**
   * Returns the library's own value of a handle.
   *
   * @param kinds a mask of accepted kinds, bit k for kind k
   * @return the value, or {@link #INVALID}
   */
  long resolve(long handle, long kinds);

  /**
   * Gives a client-minted handle its value; binding the same pair again changes nothing.
   *
   * @param parent the owning handle, or 0
   * @return false if the handle is not one that may be minted now: the peer broke the protocol
   */
  boolean bind(long handle, int kind, long value, long parent);

  /** Returns the handle of a value that the library handed out, minting one if the value is new. */
  long adopt(int kind, long value, long parent);

  /** Returns the handle of a value, 0 if it has none. */
  long known(int kind, long value);

  /** Gives a handle to another owner, with which it ends. */
  void give(long handle, long owner);

  /** Ends a handle and all that it owns. */
  void release(long handle);

  /** Returns the index of a handle. */
  static int index(long handle) {
    return (int) (handle & 0xfffff);
  }

  /** Returns the kind of a handle. */
  static int kind(long handle) {
    return (int) (handle >>> 34) & 63;
  }
}
