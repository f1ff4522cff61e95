// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.posix;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** The users of this machine. */
public final class Users {
  /** Room for what is said of a user; getpwuid_r(3) calls less than that too little for some. */
  private static final long TEXTS = 64L << 10;

  /** {@code struct passwd} of 64-bit Linux, whose first member is the name. */
  private static final long PASSWD = 48;

  private static final MethodHandle GETPWUID = Libc.bind("getpwuid_r", 5);

  private Users() {}

  /** The name of a user; the number where there is none, as of a user of a container. */
  public static String name(int user) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment entry = arena.allocate(PASSWD, Long.BYTES);
      MemorySegment texts = arena.allocate(TEXTS);
      MemorySegment found = arena.allocate(ADDRESS);
      MemorySegment errno = Errno.capture();
      long result =
          (long)
              GETPWUID.invokeExact(
                  errno, (long) user, entry.address(), texts.address(), TEXTS, found.address());
      return (int) result == 0 && found.get(JAVA_LONG, 0) != 0
          ? texts.getString(entry.get(JAVA_LONG, 0) - texts.address())
          : Integer.toUnsignedString(user);
    } catch (Throwable t) {
      throw Libc.broken(t);
    }
  }
}
