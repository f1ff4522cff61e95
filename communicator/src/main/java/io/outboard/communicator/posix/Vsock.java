// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.posix;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/** The kernel's view of this machine's vsock (vsock(7)). */
public final class Vsock {
  /** IOCTL_VM_SOCKETS_GET_LOCAL_CID. */
  private static final long LOCAL_CID = 0x7b9;

  private static final int CID_HOST = 2;
  private static final int CID_ANY = -1;

  private static final MethodHandle IOCTL = Libc.bindVariadic("ioctl", 3);

  private Vsock() {}

  /**
   * Whether this machine is a guest whose hypervisor gives it vsock.
   *
   * @param device {@code /dev/vsock}
   */
  public static boolean isGuest(Path device) {
    int fd = Posix.open(device.toString(), Posix.O_CLOEXEC, 0);
    if (fd < 0) {
      return false;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment cid = arena.allocate(JAVA_INT);
      MemorySegment errno = Errno.capture();
      return (int) (long) IOCTL.invokeExact(errno, (long) fd, LOCAL_CID, cid.address()) == 0
          && isGuest(cid.get(JAVA_INT, 0));
    } catch (Throwable t) {
      throw Libc.broken(t);
    } finally {
      Posix.close(fd);
    }
  }

  /** Hosts, and machines without a hypervisor, have a number of at most 2, or none. */
  static boolean isGuest(int cid) {
    return cid != CID_ANY && Integer.compareUnsigned(cid, CID_HOST) > 0;
  }
}
