// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.profile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * How much more memory this machine can give this process: the memory that it has left, swap
 * included ({@code proc_meminfo(5)}), and no more than the control groups allow that the process is
 * in (cgroup version 2, "Memory Interface Files").
 */
public final class HostRoom {
  private static final String UNIFIED = "0::/";

  private final Path root;

  /** {@code root} is the folder with {@code proc} and {@code sys}. */
  public HostRoom(Path root) {
    this.root = root;
  }

  /** Bytes; 0 where the machine does not say. */
  public long bytes() {
    long least =
        HostSize.named("MemAvailable:", meminfo()) + HostSize.named("SwapFree:", meminfo());
    Path top = root.resolve("sys/fs/cgroup");
    for (Path group = top.resolve(own()); group.startsWith(top); group = group.getParent()) {
      least = Math.min(least, room(group));
    }
    return least;
  }

  private Path meminfo() {
    return root.resolve("proc/meminfo");
  }

  /** The group of this process, without the slash that it begins with. */
  private String own() {
    return lines(root.resolve("proc/self/cgroup")).stream()
        .filter(line -> line.startsWith(UNIFIED))
        .map(line -> line.substring(UNIFIED.length()))
        .findFirst()
        .orElse("");
  }

  /**
   * The memory that a group has left; no bound where it has none. Files that it can drop are left,
   * too.
   */
  private static long room(Path group) {
    List<String> limit = lines(group.resolve("memory.max"));
    if (limit.isEmpty() || !isNumber(limit.getFirst())) {
      return Long.MAX_VALUE;
    }
    long used = 0;
    for (String line : lines(group.resolve("memory.current"))) {
      used += isNumber(line) ? Long.parseLong(line) : 0;
    }
    for (String line : lines(group.resolve("memory.stat"))) {
      String[] words = line.split(" ", 2);
      used -= words[0].equals("inactive_file") && isNumber(words[1]) ? Long.parseLong(words[1]) : 0;
    }
    return Math.max(0, Long.parseLong(limit.getFirst()) - Math.max(0, used));
  }

  private static boolean isNumber(String text) {
    return text.matches("[0-9]{1,18}");
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException absent) {
      return List.of();
    }
  }
}
