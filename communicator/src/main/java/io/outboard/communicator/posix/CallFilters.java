// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.posix;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Filters of the kernel's calls (seccomp(2)), for all threads of this process at once, those that
 * the virtual machine has made before among them, and for all that they start. With a filter each
 * thread also gives up to gain privileges by an exec (prctl(2), PR_SET_NO_NEW_PRIVS). Results as in
 * {@link Posix}.
 */
public final class CallFilters {
  /** Bytes of an instruction, a {@code struct sock_filter}. */
  private static final int INSTRUCTION = 8;

  /** Bytes of a {@code struct sock_fprog}, and where its address is. */
  private static final int PROGRAM = 16;

  private static final int PROGRAM_CODE = 8;

  private static final long SET_MODE_FILTER = 1;
  private static final long ALL_THREADS = 1;
  private static final long LISTENER = 1 << 3;
  // An error number instead of a thread's, which could be taken for a descriptor.
  private static final long THREAD_AS_ERROR = 1 << 4;

  private static final boolean ARM = System.getProperty("os.arch").equals("aarch64");
  private static final long SYS_SECCOMP = ARM ? 277 : 317;

  // _IOWR('!', 0, struct seccomp_notif) and _IOWR('!', 1, struct seccomp_notif_resp).
  private static final long RECEIVE = 0xc0502100L;
  private static final long SEND = 0xc0182101L;
  private static final int NOTICE = 80;
  private static final int NOTICE_CALL = 16;
  private static final int NOTICE_FIRST_ARGUMENT = 32;
  private static final int ANSWER = 24;
  private static final int ANSWER_FLAGS = 20;
  private static final int GO_ON = 1;

  private static final MethodHandle SYSCALL = Libc.bindVariadic("syscall", 4);
  private static final MethodHandle IOCTL = Libc.bindVariadic("ioctl", 3);

  private CallFilters() {}

  /**
   * Installs a program of classic BPF; a value above 0 is a thread that cannot have it.
   *
   * @param program instructions, each as the eight bytes of a {@code struct sock_filter}
   */
  public static int install(long[] program) {
    return install(program, ALL_THREADS);
  }

  /**
   * Installs a program that asks about calls ({@code SECCOMP_RET_USER_NOTIF}); for Linux 5.7 or
   * newer.
   *
   * @return the descriptor from which the questions are read; the calls wait for their answers
   */
  public static int installAsking(long[] program) {
    return install(program, ALL_THREADS | LISTENER | THREAD_AS_ERROR);
  }

  private static int install(long[] program, long flags) {
    int result = Processes.setNoNewPrivileges();
    if (result < 0) {
      return result;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment errno = Errno.capture();
      MemorySegment code = arena.allocate((long) program.length * INSTRUCTION, INSTRUCTION);
      MemorySegment.copy(program, 0, code, JAVA_LONG, 0, program.length);
      MemorySegment all = arena.allocate(PROGRAM, Long.BYTES);
      all.set(JAVA_SHORT, 0, (short) program.length);
      all.set(ADDRESS, PROGRAM_CODE, code);
      long done =
          (long) SYSCALL.invokeExact(errno, SYS_SECCOMP, SET_MODE_FILTER, flags, all.address());
      return (int) Errno.result(done, errno);
    } catch (Throwable t) {
      throw Libc.broken(t);
    }
  }

  /**
   * A call that waits for an answer.
   *
   * @param number the kernel's, on this architecture
   * @param argument its first
   */
  public record Question(int number, long argument) {}

  /** Takes one question, and answers that the call goes on; null if there is none any more. */
  public static Question letThrough(int listener) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment errno = Errno.capture();
      MemorySegment notice = arena.allocate(NOTICE, Long.BYTES);
      if ((int) (long) IOCTL.invokeExact(errno, (long) listener, RECEIVE, notice.address()) < 0) {
        return null;
      }
      MemorySegment answer = arena.allocate(ANSWER, Long.BYTES);
      answer.set(JAVA_LONG, 0, notice.get(JAVA_LONG, 0));
      answer.set(JAVA_INT, ANSWER_FLAGS, GO_ON);
      // A thread that has ended in the meantime wants none.
      long unused = (long) IOCTL.invokeExact(errno, (long) listener, SEND, answer.address());
      return new Question(
          notice.get(JAVA_INT, NOTICE_CALL), notice.get(JAVA_LONG, NOTICE_FIRST_ARGUMENT));
    } catch (Throwable t) {
      throw Libc.broken(t);
    }
  }
}
