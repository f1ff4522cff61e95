// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.system;

import io.outboard.communicator.posix.CallFilters;
import io.outboard.communicator.posix.Descriptors;
import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.Processes;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Which calls of the kernel a worker may make, from before its client comes: {@link WorkerCalls}
 * has them. Any other fails with EPERM, or with ENOSYS if it is newer than that list, so that a
 * library takes what it took before there was such a call. Of some the arguments count:
 *
 * <ul>
 *   <li>{@code clone} makes threads, and processes that are its children, in no namespace of their
 *       own;
 *   <li>{@code socket} makes Unix sockets;
 *   <li>{@code ioctl} puts nothing in the input of a terminal, and neither it nor {@code fcntl} has
 *       the kernel send signals;
 *   <li>{@code kill} and {@code tgkill} reach the worker itself, others are only asked for;
 *   <li>{@code prlimit64} is about the worker itself;
 *   <li>{@code sched_set…} and {@code setpriority} are about the thread that calls, or the worker;
 *   <li>{@code prctl} does not say whether the worker ends with its parent.
 * </ul>
 */
public enum WorkerFilter {
  /** Other calls fail. */
  ON(FilterProgram.ERROR),
  /** Other calls are told to the daemon, which logs them, and are made. */
  LOG(FilterProgram.ASK),
  /** There is no filter. */
  OFF(FilterProgram.ALLOW);

  /** The property of a worker's virtual machine. */
  static final String PROPERTY = "outboard.worker.filter";

  // linux/audit.h: AUDIT_ARCH_X86_64 and AUDIT_ARCH_AARCH64.
  private static final int X86_ARCHITECTURE = 0xc000003e;
  private static final int ARM_ARCHITECTURE = 0xc00000b7;

  /** linux/sched.h: CLONE_NEWNS, and NEWCGROUP to NEWNET. */
  private static final int NAMESPACES = 0x7e020000;

  /** linux/sched.h: the child would be the daemon's, and outlive the worker. */
  private static final int CLONE_PARENT = 0x8000;

  /** linux/sched.h: a thread, and no process. */
  private static final int CLONE_THREAD = 0x10000;

  /** A worker of code has what it was given, its processors too, and starts nothing. */
  private static final List<String> NEVER_OF_CODE =
      List.of(
          "sched_setaffinity",
          "execve",
          "fork",
          "vfork",
          "socket",
          "socketpair",
          "connect",
          "bind",
          "listen",
          "accept",
          "accept4");

  private static final int PR_SET_PDEATHSIG = 1;
  private static final int PRIO_PROCESS = 0;

  private static final int AF_UNIX = 1;
  private static final int TIOCSTI = 0x5412;
  private static final int TIOCLINUX = 0x541c;

  /** asm-generic/sockios.h: as F_SETOWN. */
  private static final int FIOSETOWN = 0x8901;

  private static final int SIOCSPGRP = 0x8902;

  /** fcntl(2): who gets a signal when there is something to read, and which. */
  private static final int F_SETOWN = 8;

  private static final int F_SETSIG = 10;
  private static final int F_SETOWN_EX = 15;
  private static final int ENOSYS = 38;
  private static final int EAFNOSUPPORT = 97;
  private static final int ABSENT = FilterProgram.ERROR | ENOSYS;

  private final int refusal;

  WorkerFilter(int refusal) {
    this.refusal = refusal;
  }

  /**
   * The one of a name.
   *
   * @throws IllegalArgumentException if there is none; the message says so
   */
  public static WorkerFilter parse(String name) {
    for (WorkerFilter one : values()) {
      if (one.toString().equals(name)) {
        return one;
      }
    }
    throw new IllegalArgumentException("a worker's filter is 'on', 'off' or 'log': " + name);
  }

  /** The one that this process is to have. */
  public static WorkerFilter ofThisProcess() {
    return parse(System.getProperty(PROPERTY, ON.toString()));
  }

  /** The option of the virtual machine of a worker that has it. */
  public String option() {
    return "-D" + PROPERTY + "=" + this;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Has all threads of this process filtered, for ever.
   *
   * @param daemon the connection to the daemon, which gets what {@link #LOG} asks
   */
  public void install(int daemon) throws IOException {
    switch (this) {
      case ON -> tell(CallFilters.install(program()));
      case LOG -> ask(daemon);
      case OFF -> Log.debug("a worker has no filter of calls");
    }
  }

  /**
   * Has all threads of this process filtered as with {@link #ON}.
   *
   * @throws IOException if the kernel does not permit that
   */
  public static void require() throws IOException {
    require(ON.program());
  }

  /**
   * Has all threads of this process filtered as with {@link #ON}, and starts no process and opens
   * no socket any more.
   *
   * @throws IOException if the kernel does not permit that
   */
  public static void requireOfCode() throws IOException {
    Map<String, FilterProgram.Verdict> refused = new HashMap<>();
    FilterProgram.Verdict never = FilterProgram.always(FilterProgram.ERROR | Errno.EPERM);
    NEVER_OF_CODE.forEach(name -> refused.put(name, never));
    refused.put(
        "clone",
        program ->
            program
                .argument(0)
                .ifAny(NAMESPACES | CLONE_PARENT, FilterProgram.ERROR | Errno.EPERM)
                .ifAny(CLONE_THREAD, FilterProgram.ALLOW)
                .end(FilterProgram.ERROR | Errno.EPERM));
    require(ON.program(refused));
  }

  private static void require(long[] program) throws IOException {
    int result = CallFilters.install(program);
    if (result != 0) {
      throw new IOException("no filter of calls: %d".formatted(result));
    }
  }

  private static boolean isArm() {
    return System.getProperty("os.arch").equals("aarch64");
  }

  private static int architecture() {
    return isArm() ? ARM_ARCHITECTURE : X86_ARCHITECTURE;
  }

  private void ask(int daemon) throws IOException {
    int listener = CallFilters.installAsking(program());
    Errno.check(listener, "calls cannot be logged here (Linux 5.7 or newer is needed)");
    try (NativeBuffer buffer = new NativeBuffer(1)) {
      Errno.check(
          Descriptors.send(daemon, new int[] {listener}, buffer.address(), 1),
          "the daemon has gone");
    }
    Posix.close(listener);
  }

  private static void tell(int result) {
    if (result < 0) {
      Log.warn(
          "a worker's calls are not filtered: this kernel or container permits no seccomp filter"
              + " (%s)".formatted(Errno.text(-result)));
    } else if (result > 0) {
      Log.warn("a worker's calls are not filtered: thread " + result + " has a filter of its own");
    }
  }

  /** The program for this machine and process. */
  private long[] program() {
    return program(Map.of());
  }

  /** The same where some calls have other verdicts. */
  private long[] program(Map<String, FilterProgram.Verdict> others) {
    return program(architecture(), isArm() ? WorkerCalls.ofArm() : WorkerCalls.ofX86(), others);
  }

  private long[] program(
      int architecture, Map<String, Integer> numbers, Map<String, FilterProgram.Verdict> others) {
    FilterProgram.Verdict allowed = FilterProgram.always(FilterProgram.ALLOW);
    FilterProgram.Verdict absent = FilterProgram.always(ABSENT);
    Map<Integer, FilterProgram.Verdict> verdicts = new HashMap<>();
    numbers.values().forEach(number -> verdicts.put(number, allowed));
    verdicts.put(numbers.get("clone3"), absent);
    byArguments().forEach((name, verdict) -> verdicts.put(numbers.get(name), verdict));
    others.forEach((name, verdict) -> verdicts.put(numbers.get(name), verdict));
    verdicts.remove(null);
    int refused = refusal(Errno.EPERM);
    return FilterProgram.of(
        architecture, verdicts, WorkerCalls.NEWEST, FilterProgram.always(refused), absent);
  }

  private int refusal(int error) {
    return this == ON ? refusal | error : refusal;
  }

  private Map<String, FilterProgram.Verdict> byArguments() {
    int allow = FilterProgram.ALLOW;
    int refuse = refusal(Errno.EPERM);
    int own = Processes.getpid();
    FilterProgram.Verdict ofItself =
        program -> program.argument(0).ifEqual(0, allow).ifEqual(own, allow).end(refuse);
    Map<String, FilterProgram.Verdict> verdicts = new HashMap<>();
    for (String name :
        List.of("prlimit64", "sched_setaffinity", "sched_setparam", "sched_setscheduler")) {
      verdicts.put(name, ofItself);
    }
    verdicts.put(
        "setpriority",
        program ->
            program
                .argument(0)
                .unlessEqual(PRIO_PROCESS, refuse)
                .argument(1)
                .ifEqual(0, allow)
                .ifEqual(own, allow)
                .end(refuse));
    verdicts.putAll(
        Map.of(
            "clone",
            program -> program.argument(0).ifAny(NAMESPACES | CLONE_PARENT, refuse).end(allow),
            "socket",
            program -> program.argument(0).ifEqual(AF_UNIX, allow).end(refusal(EAFNOSUPPORT)),
            "ioctl",
            program ->
                program
                    .argument(1)
                    .ifEqual(TIOCSTI, refuse)
                    .ifEqual(TIOCLINUX, refuse)
                    .ifEqual(FIOSETOWN, refuse)
                    .ifEqual(SIOCSPGRP, refuse)
                    .end(allow),
            "prctl",
            program -> program.argument(0).ifEqual(PR_SET_PDEATHSIG, refuse).end(allow),
            "fcntl",
            program ->
                program
                    .argument(1)
                    .ifEqual(F_SETOWN, refuse)
                    .ifEqual(F_SETSIG, refuse)
                    .ifEqual(F_SETOWN_EX, refuse)
                    .end(allow),
            "kill",
            program ->
                program.argument(0).ifEqual(own, allow).argument(1).ifEqual(0, allow).end(refuse),
            "tgkill",
            program -> program.argument(0).ifEqual(own, allow).end(refuse)));
    return verdicts;
  }
}
