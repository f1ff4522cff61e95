// SPDX-License-Identifier: Apache-2.0
package io.outboard.wire;

/** The handles of a session, for the log of its calls. */
public interface CallNames {
  /** Returns the handle of a library's value, 0 if it has none. */
  long handleOf(int kind, long value);

  /** Whether a library's value is the calling thread's own object (see {@link Call#perThread}). */
  boolean isOwn(long value);
}
