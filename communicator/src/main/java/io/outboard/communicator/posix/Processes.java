// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.posix;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Processes; results as in {@link Posix}. */
public final class Processes {
  /** personality(2): the legacy memory layout, mappings grow upwards from a third of the space. */
  public static final long ADDR_COMPAT_LAYOUT = 0x0200000;

  /** personality(2): changes nothing, returns the present one. */
  public static final long PERSONALITY_QUERY = 0xffffffffL;

  /** sched(7): as threads are usually scheduled. */
  public static final int SCHED_OTHER = 0;

  /** sched(7): a thread runs where nobody else would. */
  public static final int SCHED_IDLE = 5;

  /** Signal: the process ends at once. */
  public static final int SIGKILL = 9;

  /** Signal: its meaning is the receiver's. */
  public static final int SIGUSR1 = 10;

  /** Signal: the process is asked to end. */
  public static final int SIGTERM = 15;

  private static final int PR_SET_PDEATHSIG = 1;
  private static final int PR_SET_DUMPABLE = 4;
  private static final int PR_SET_NO_NEW_PRIVS = 38;
  // The same number on every architecture; glibc has no wrapper before 2.36.
  private static final long SYS_PIDFD_OPEN = 434;

  private static final MethodHandle PERSONALITY = Libc.bind("personality", 1);
  private static final MethodHandle PRCTL = Libc.bindVariadic("prctl", 5);
  private static final MethodHandle KILL = Libc.bind("kill", 2);
  private static final MethodHandle SYSCALL = Libc.bindVariadic("syscall", 3);
  private static final MethodHandle SCHED_SETSCHEDULER = Libc.bind("sched_setscheduler", 3);
  private static final MethodHandle SCHED_GETSCHEDULER = Libc.bind("sched_getscheduler", 1);
  private static final MethodHandle SETGROUPS = Libc.bind("setgroups", 2);
  private static final MethodHandle SETRESGID = Libc.bind("setresgid", 3);
  private static final MethodHandle SETRESUID = Libc.bind("setresuid", 3);
  private static final MethodHandle GETPID = Libc.bindInfallible("getpid", 0);
  private static final MethodHandle SETENV = Libc.bindInfallible("setenv", 3);
  private static final MethodHandle UMASK = Libc.bindInfallible("umask", 1);
  private static final MethodHandle GETUID = Libc.bindInfallible("getuid", 0);

  private Processes() {}

  /** Sets the execution domain, which an exec inherits; returns the one before. */
  public static int personality(long persona) {
    try {
      MemorySegment errno = Errno.capture();
      return Errno.intResult((long) PERSONALITY.invokeExact(errno, persona), errno);
    } catch (Throwable t) {
      throw Libc.broken(t);
    }
  }

  /**
   * Asks for a signal when the parent <em>thread</em> that started this process ends, which may be
   * long before its process does (prctl(2), PR_SET_PDEATHSIG); 0 for none.
   */
  public static int setParentDeathSignal(int signal) {
    return prctl(PR_SET_PDEATHSIG, signal);
  }

  /** Gives up, for ever and for all children, to gain privileges by an exec. */
  public static int setNoNewPrivileges() {
    return prctl(PR_SET_NO_NEW_PRIVS, 1);
  }

  /**
   * Keeps other processes of the same user from tracing this one and from opening what it has under
   * {@code /proc} (prctl(2), PR_SET_DUMPABLE; ptrace(2)). No core file is written any more.
   */
  public static int hide() {
    return prctl(PR_SET_DUMPABLE, 0);
  }

  /** Takes {@link #hide} back. */
  public static int show() {
    return prctl(PR_SET_DUMPABLE, 1);
  }

  /**
   * Becomes another user for ever, with the group of the same number alone; for the superuser. The
   * C library does it for all threads (nptl(7)). A parent's death signal has to be set afterwards.
   */
  public static int become(int user) {
    try {
      MemorySegment errno = Errno.capture();
      int result = Errno.intResult((long) SETGROUPS.invokeExact(errno, 0L, 0L), errno);
      if (result >= 0) {
        result =
            Errno.intResult(
                (long) SETRESGID.invokeExact(errno, (long) user, (long) user, (long) user), errno);
      }
      if (result >= 0) {
        result =
            Errno.intResult(
                (long) SETRESUID.invokeExact(errno, (long) user, (long) user, (long) user), errno);
      }
      return result;
    } catch (Throwable t) {
      throw Libc.broken(t);
    }
  }

  /** Sends a signal; signal 0 only asks whether the process is there. */
  public static int kill(int pid, int signal) {
    try {
      MemorySegment errno = Errno.capture();
      return Errno.intResult((long) KILL.invokeExact(errno, (long) pid, (long) signal), errno);
    } catch (Throwable t) {
      throw Libc.broken(t);
    }
  }

  /** Opens a descriptor that becomes readable when the process ends (Linux 5.3 or newer). */
  public static int pidfdOpen(int pid) {
    try {
      MemorySegment errno = Errno.capture();
      long fd = (long) SYSCALL.invokeExact(errno, SYS_PIDFD_OPEN, (long) pid, 0L);
      return (int) Errno.result(fd, errno);
    } catch (Throwable t) {
      throw Libc.broken(t);
    }
  }

  /**
   * Has a thread scheduled by a policy without priorities; children and threads that it makes later
   * inherit it.
   *
   * @param thread its number, 0 for the one that calls
   */
  public static int setScheduler(int thread, int policy) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment errno = Errno.capture();
      long priority = arena.allocate(JAVA_INT).address();
      return Errno.intResult(
          (long) SCHED_SETSCHEDULER.invokeExact(errno, (long) thread, (long) policy, priority),
          errno);
    } catch (Throwable t) {
      throw Libc.broken(t);
    }
  }

  /** The policy that a thread is scheduled by. */
  public static int scheduler(int thread) {
    try {
      MemorySegment errno = Errno.capture();
      return Errno.intResult((long) SCHED_GETSCHEDULER.invokeExact(errno, (long) thread), errno);
    } catch (Throwable t) {
      throw Libc.broken(t);
    }
  }

  /** This process. */
  public static int getpid() {
    try {
      return (int) (long) GETPID.invokeExact();
    } catch (Throwable t) {
      throw Libc.broken(t);
    }
  }

  /** The user who runs this process. */
  public static int getuid() {
    try {
      return (int) (long) GETUID.invokeExact();
    } catch (Throwable t) {
      throw Libc.broken(t);
    }
  }

  /**
   * Sets which permissions new files and folders of this process do not get; returns those before.
   */
  public static int umask(int without) {
    try {
      return (int) (long) UMASK.invokeExact((long) without);
    } catch (Throwable t) {
      throw Libc.broken(t);
    }
  }

  /** Sets a variable of this process's environment, as the C library's functions read it. */
  public static void setenv(String name, String value) {
    try (Arena arena = Arena.ofConfined()) {
      long at = arena.allocateFrom(name).address();
      long unused = (long) SETENV.invokeExact(at, arena.allocateFrom(value).address(), 1L);
    } catch (Throwable t) {
      throw Libc.broken(t);
    }
  }

  private static int prctl(int option, long argument) {
    try {
      MemorySegment errno = Errno.capture();
      return Errno.intResult(
          (long) PRCTL.invokeExact(errno, (long) option, argument, 0L, 0L, 0L), errno);
    } catch (Throwable t) {
      throw Libc.broken(t);
    }
  }
}
