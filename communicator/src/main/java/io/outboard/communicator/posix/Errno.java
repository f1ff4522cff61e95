// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.posix;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;

/**
 * The operating system's error numbers (errno(3), the numbers are Linux's). Functions of this
 * package return a value of 0 or more, or the negated number, so that an expected failure costs no
 * exception.
 */
public final class Errno {
  /** Operation not permitted. */
  public static final int EPERM = 1;

  /** No such file. */
  public static final int ENOENT = 2;

  /** No such process. */
  public static final int ESRCH = 3;

  /** A signal came first. */
  public static final int EINTR = 4;

  /** Bad descriptor. */
  public static final int EBADF = 9;

  /** Nothing there now. */
  public static final int EAGAIN = 11;

  /** Permission denied. */
  public static final int EACCES = 13;

  /** File exists. */
  public static final int EEXIST = 17;

  /** No such device. */
  public static final int ENODEV = 19;

  /** This process may open no further file. */
  static final int EMFILE = 24;

  /** Nobody reads. */
  public static final int EPIPE = 32;

  /** The kernel has no such family of sockets. */
  public static final int EAFNOSUPPORT = 97;

  /** Address in use. */
  public static final int EADDRINUSE = 98;

  /** The client went before it was accepted. */
  public static final int ECONNABORTED = 103;

  /** The peer reset the connection. */
  public static final int ECONNRESET = 104;

  /** Time is up. */
  public static final int ETIMEDOUT = 110;

  /** Nobody listens. */
  public static final int ECONNREFUSED = 111;

  /** Under way. */
  public static final int EINPROGRESS = 115;

  private static final String REMEDY_EMFILE =
      " (the limit of this process: ulimit -n, LimitNOFILE= of a unit)";
  private static final StructLayout STATE = Linker.Option.captureStateLayout();
  private static final long OFFSET = STATE.byteOffset(PathElement.groupElement("errno"));
  private static final ThreadLocal<MemorySegment> CAPTURE =
      ThreadLocal.withInitial(Errno::newCapture);
  private static final MethodHandle STRERROR = Libc.bindInfallible("strerror", 1);

  private Errno() {}

  /** Room for the error number of a call, for callers that do not want to look for the thread's. */
  static MemorySegment newCapture() {
    return Arena.ofAuto().allocate(STATE);
  }

  /** The thread's room for the error number of a call. */
  static MemorySegment capture() {
    return CAPTURE.get();
  }

  /** The value of a call that returned {@code value}: itself, or the negated error number. */
  static int result(int value, MemorySegment capture) {
    return value == -1 ? -capture.get(JAVA_INT, OFFSET) : value;
  }

  /** The same of a function whose type is an int, which takes a part of the word. */
  static int intResult(long word, MemorySegment capture) {
    return result((int) word, capture);
  }

  /** The value of a call that returned {@code value}: itself, or the negated error number. */
  static long result(long value, MemorySegment capture) {
    return value == -1 ? -capture.get(JAVA_INT, OFFSET) : value;
  }

  /** Returns the system's text for an error number. */
  public static String text(int number) {
    try {
      MemorySegment text = MemorySegment.ofAddress((long) STRERROR.invokeExact((long) number));
      return text.reinterpret(256).getString(0);
    } catch (Throwable t) {
      throw Libc.broken(t);
    }
  }

  /**
   * Returns a call's value where it succeeded.
   *
   * @param result what the call returned
   * @param what names the operation and its object, for the message
   * @throws IOException if it failed
   */
  public static int check(int result, String what) throws IOException {
    return check(result, what, result == -EMFILE ? REMEDY_EMFILE : "");
  }

  /** The same with a remedy behind the system's text. */
  public static int check(int result, String what, String remedy) throws IOException {
    if (result < 0) {
      throw new IOException(what + ": " + text(-result) + remedy);
    }
    return result;
  }
}
