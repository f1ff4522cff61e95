// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.Backend;
import io.outboard.backend.FakeLibrary;
import io.outboard.backend.RawClient;
import io.outboard.backend.StandIn;
import io.outboard.backend.daemon.Daemon;
import io.outboard.backend.daemon.DaemonBuilder;
import io.outboard.wire.Frame;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The kernel's answers to a process with a worker's filter. */
class WorkerFilterTest {
  private static final int EPERM = 1;
  private static final int EINVAL = 22;
  private static final int ENOSYS = 38;
  private static final int EAFNOSUPPORT = 97;
  private static final boolean ARM = System.getProperty("os.arch").equals("aarch64");

  /** Calls that need no argument to be refused, by their numbers on x86-64 and AArch64. */
  private static final Map<String, int[]> REFUSED =
      Map.ofEntries(
          Map.entry("ptrace", new int[] {101, 117}),
          Map.entry("process_vm_readv", new int[] {310, 270}),
          Map.entry("process_vm_writev", new int[] {311, 271}),
          Map.entry("pidfd_getfd", new int[] {438, 438}),
          Map.entry("pidfd_send_signal", new int[] {424, 424}),
          Map.entry("mount", new int[] {165, 40}),
          Map.entry("unshare", new int[] {272, 97}),
          Map.entry("setns", new int[] {308, 268}),
          Map.entry("chroot", new int[] {161, 51}),
          Map.entry("bpf", new int[] {321, 280}),
          Map.entry("perf_event_open", new int[] {298, 241}),
          Map.entry("userfaultfd", new int[] {323, 282}),
          Map.entry("io_uring_setup", new int[] {425, 425}),
          Map.entry("keyctl", new int[] {250, 219}),
          Map.entry("add_key", new int[] {248, 217}),
          Map.entry("kexec_load", new int[] {246, 104}),
          Map.entry("init_module", new int[] {175, 105}),
          Map.entry("open_by_handle_at", new int[] {304, 265}),
          Map.entry("setuid", new int[] {105, 146}),
          Map.entry("personality", new int[] {135, 92}),
          Map.entry("seccomp", new int[] {317, 277}));

  private static final Pattern NUMBER = Pattern.compile("#define __NR(?:3264)?_(\\w+)\\s+(\\d+)");

  @TempDir private Path folder;

  /** A process that takes the filter and then prints what calls return. */
  static final class Filtered {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = STATE.varHandle(PathElement.groupElement("errno"));
    private static final MethodHandle SYSCALL =
        LINKER.downcallHandle(
            LINKER.defaultLookup().findOrThrow("syscall"),
            FunctionDescriptor.of(
                ValueLayout.JAVA_LONG,
                ValueLayout.JAVA_LONG,
                ValueLayout.JAVA_LONG,
                ValueLayout.JAVA_LONG,
                ValueLayout.JAVA_LONG),
            Linker.Option.firstVariadicArg(1),
            Linker.Option.captureCallState("errno"));

    private Filtered() {}

    /** Prints a line of a name and an error number, 0 for success, for each call. */
    public static void main(String[] arguments) throws Throwable {
      WorkerFilter.ON.install(-1);
      long parent = ProcessHandle.current().parent().orElseThrow().pid();
      for (Map.Entry<String, int[]> call : REFUSED.entrySet()) {
        print(call.getKey(), call.getValue()[ARM ? 1 : 0], 0, 0, 0);
      }
      print("clone3", 435, 0, 0, 0);
      print("behind", WorkerCalls.NEWEST + 1, 0, 0, 0);
      int socket = ARM ? 198 : 41;
      print("socket unix", socket, 1, 1, 0);
      print("socket inet", socket, 2, 1, 0);
      print("clone with a user namespace", ARM ? 220 : 56, 0x10000000, 0, 0);
      int kill = ARM ? 129 : 62;
      print("kill the parent", kill, parent, 10, 0);
      print("ask for the parent", kill, parent, 0, 0);
      print("ask for itself", kill, ProcessHandle.current().pid(), 0, 0);
      print("type into a terminal", ARM ? 29 : 16, 0, 0x5412, 0);
      int limits = ARM ? 261 : 302;
      print("limit itself", limits, 0, 7, 0);
      print("limit the parent", limits, parent, 7, 0);
      int priority = ARM ? 140 : 141;
      print("a priority of its own", priority, 0, 0, 0);
      print("the parent's priority", priority, 0, parent, 0);
      print("a user's priority", priority, 2, 0, 0);
      // Without a place for the argument: what is let in finds that out.
      int schedule = ARM ? 119 : 144;
      print("be scheduled otherwise", schedule, 0, 0, 0);
      print("schedule the parent otherwise", schedule, parent, 0, 0);
      print("outlive the parent", ARM ? 167 : 157, 1, 0, 0);
      print("be hidden", ARM ? 167 : 157, 4, 0, 0);
      // Together with CLONE_SIGHAND, which wants more: it would make no process.
      print("a child of the parent's", ARM ? 220 : 56, 0x8800, 0, 0);
      int control = ARM ? 25 : 72;
      print("a signal to the parent", control, 0, 8, parent);
      print("another signal", control, 0, 10, 9);
      print("a signal by ioctl", ARM ? 29 : 16, 0, 0x8901, 0);
      Thread thread = Thread.ofPlatform().start(() -> System.out.println("thread 0"));
      thread.join();
      Process program = new ProcessBuilder("true").start();
      System.out.println("program " + program.waitFor());
    }

    private static void print(String name, long number, long first, long second, long third)
        throws Throwable {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment state = arena.allocate(STATE);
        long result = (long) SYSCALL.invokeExact(state, number, first, second, third);
        System.out.println(name + " " + (result < 0 ? (int) ERRNO.get(state, 0L) : 0));
      }
    }
  }

  private Map<String, Integer> results() throws IOException, InterruptedException {
    Process process = new StandIn(folder).process(Filtered.class).start();
    Map<String, Integer> results = new LinkedHashMap<>();
    for (String line : process.inputReader().lines().toList()) {
      int end = line.lastIndexOf(' ');
      results.put(line.substring(0, end), Integer.valueOf(line.substring(end + 1)));
    }
    assertEquals(0, process.waitFor());
    return results;
  }

  @Test
  void whatAWorkerDoesNotNeedIsRefused() throws Exception {
    Map<String, Integer> results = results();
    Map<String, Integer> expected = new LinkedHashMap<>();
    REFUSED.keySet().forEach(name -> expected.put(name, EPERM));
    expected.put("clone3", ENOSYS);
    expected.put("behind", ENOSYS);
    expected.put("socket unix", 0);
    expected.put("socket inet", EAFNOSUPPORT);
    expected.put("clone with a user namespace", EPERM);
    expected.put("kill the parent", EPERM);
    expected.put("ask for the parent", 0);
    expected.put("ask for itself", 0);
    expected.put("type into a terminal", EPERM);
    expected.put("limit itself", 0);
    expected.put("limit the parent", EPERM);
    expected.put("a priority of its own", 0);
    expected.put("the parent's priority", EPERM);
    expected.put("a user's priority", EPERM);
    expected.put("be scheduled otherwise", EINVAL);
    expected.put("schedule the parent otherwise", EPERM);
    expected.put("outlive the parent", EPERM);
    expected.put("be hidden", 0);
    expected.put("a child of the parent's", EPERM);
    expected.put("a signal to the parent", EPERM);
    expected.put("another signal", EPERM);
    expected.put("a signal by ioctl", EPERM);
    expected.put("thread", 0);
    expected.put("program", 0);
    assertEquals(expected, results);
  }

  @Test
  void aRefusalIsLoggedWhereItIsAskedFor() throws Exception {
    DaemonBuilder builder = Daemon.builder().spareWorkers(0).workerFilter(WorkerFilter.LOG);
    int socket = ARM ? 198 : 41;
    try (LogLines log = new LogLines();
        Backend backend = new Backend(folder, builder);
        RawClient client = backend.client()) {
      client.call(FakeLibrary.NETWORK, Frame.FLAG_ANSWER, 0, 1, 0);
      assertTrue(client.receive().word(0) >= 0, "the call is made");
      log.await("the filter would refuse call " + socket + ", with 2 first");
    }
  }

  @Test
  void theNumbersAreTheKernels() throws IOException {
    check(WorkerCalls.ofX86(), Path.of("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"));
    check(WorkerCalls.ofArm(), Path.of("/usr/include/asm-generic/unistd.h"));
  }

  private static void check(Map<String, Integer> numbers, Path header) throws IOException {
    Assumptions.assumeTrue(Files.exists(header), header + " is not installed");
    Map<String, Integer> kernels = new LinkedHashMap<>();
    Matcher line = NUMBER.matcher(Files.readString(header));
    while (line.find()) {
      kernels.put(line.group(1), Integer.valueOf(line.group(2)));
    }
    assertTrue(kernels.keySet().containsAll(List.of("read", "mmap", "futex")));
    numbers.forEach(
        (name, number) -> assertEquals(kernels.getOrDefault(name, number), number, name));
  }

  @Test
  void aModeIsOneOfThree() {
    assertEquals(WorkerFilter.LOG, WorkerFilter.parse("log"));
    assertThrows(IllegalArgumentException.class, () -> WorkerFilter.parse("LOG"));
    assertThrows(IllegalArgumentException.class, () -> WorkerFilter.parse(""));
  }
}
