// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bounds of the host's memory for a lease. */
final class MemoryGroupsTest {
  private static final long BOUND = 64 << 20;
  private static final int KILLED = 128 + 9;
  private static final int ROUNDS = 50;
  private static final int LEASES = 20;

  @TempDir private Path root;

  private Path file(String name, String text) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  private String read(String name) throws IOException {
    return Files.readString(root.resolve(name));
  }

  /** The kernel's own group, where this may make one. */
  @Test
  void whoIsBeyondTheBoundEnds() throws Exception {
    Process hungry = new ProcessBuilder("sh", "-c", "read go; tail /dev/zero; exit $?").start();
    try (MemoryGroups groups = MemoryGroups.create(BOUND)) {
      groups.join("lease1", LongStream.of(hungry.pid()));
      String in = Files.readString(Path.of("/proc", hungry.pid() + "", "cgroup"));
      assumeTrue(in.contains("lease1"), "no control group can be made here");
      hungry.getOutputStream().write('\n');
      hungry.getOutputStream().close();
      assertEquals(KILLED, hungry.waitFor());
      groups.left();
    } finally {
      hungry.destroyForcibly();
    }
    String own = Files.readString(Path.of("/proc/self/cgroup"));
    assertFalse(own.contains("lease1"), own);
  }

  @Test
  void theSecondVersionHasABoundToo() throws IOException {
    file("proc/self/mounts", "none /sys/fs/cgroup cgroup2 rw,nosuid 0 0\n");
    file("proc/self/cgroup", "0::/system.slice/outboard.service\n");
    String own = "sys/fs/cgroup/system.slice/outboard.service/";
    file(own + "cgroup.subtree_control", "");
    String pid = own + "outboard-" + ProcessHandle.current().pid() + "/";
    MemoryGroups groups = MemoryGroups.create(BOUND, root);
    groups.join("ab12", LongStream.of(77));
    assertEquals("0", read(own + "outboard-daemon/cgroup.procs"));
    assertEquals("+memory", read(own + "cgroup.subtree_control"));
    assertEquals("+memory", read(pid + "cgroup.subtree_control"));
    assertEquals(Long.toString(BOUND), read(pid + "ab12/memory.max"));
    assertEquals("77", read(pid + "ab12/cgroup.procs"));
  }

  @Test
  void aNameThatIsNoLeasesMakesNoGroup() throws IOException {
    groups();
    file("groups/tasks", "");
    MemoryGroups groups = MemoryGroups.create(BOUND, root);
    for (String name : List.of("", "..", "a/b")) {
      groups.join(name, LongStream.of(77));
    }
    assertFalse(Files.exists(root.resolve("groups/outboard-" + ProcessHandle.current().pid())));
    assertTrue(Files.exists(root.resolve("groups/tasks")));
  }

  /** The groups of the first version in a folder that stands for the kernel's. */
  private Path groups() throws IOException {
    file("proc/self/mounts", "none /groups cgroup rw,memory 0 0\n");
    file("proc/self/cgroup", "5:memory:/\n");
    return Files.createDirectories(root.resolve("groups"));
  }

  @Test
  void groupsOfDaemonsThatLiveStay() throws Exception {
    Path groups = groups();
    Process ended = new ProcessBuilder("true").start();
    ended.waitFor();
    Path left = Files.createDirectories(groups.resolve("outboard-" + ended.pid() + "/ab12"));
    Process living = new ProcessBuilder("sleep", "1000").start();
    try {
      Path kept = Files.createDirectories(groups.resolve("outboard-" + living.pid() + "/ab12"));
      MemoryGroups.create(BOUND, root).close();
      assertTrue(Files.exists(kept));
      assertFalse(Files.exists(left.getParent()));
    } finally {
      living.destroyForcibly();
    }
  }

  /** Two daemons may remove the same groups at once: neither fails because of it. */
  @Test
  void groupsMayVanishWhileTheyAreRemoved() throws Exception {
    Path groups = groups();
    Process ended = new ProcessBuilder("true").start();
    ended.waitFor();
    Path left = groups.resolve("outboard-" + ended.pid());
    for (int round = 0; round < ROUNDS; round++) {
      for (int lease = 0; lease < LEASES; lease++) {
        Files.createDirectories(left.resolve("lease" + lease));
      }
      CompletableFuture<Void> other =
          CompletableFuture.runAsync(() -> MemoryGroups.create(BOUND, root).close());
      MemoryGroups.create(BOUND, root).close();
      other.get();
      assertFalse(Files.exists(left));
    }
  }
}
