// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.launch;

import io.outboard.backend.system.Log;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The bound of the host's memory where there are no control groups: what the workers of a lease
 * have in memory is looked up once a second (proc(5), {@code RssAnon} and {@code RssShmem}), and
 * the largest of them ends while all have too much. Pages that two of them share count twice.
 */
final class MemoryWatch implements AutoCloseable {
  private static final Path PROCESSES = Path.of("/proc");
  private static final List<String> COUNTED = List.of("RssAnon:", "RssShmem:");
  private static final int PERIOD_MS = 1_000;
  private static final int KIB = 1_024;

  // Both are guarded by this object's monitor.
  private final Map<String, Long> bounds = new HashMap<>();
  private final Map<String, Set<ProcessHandle>> leases = new HashMap<>();
  private ScheduledExecutorService timer;

  private record Resident(ProcessHandle process, long bytes) {}

  /** These processes are a lease's, and all that they start: so many bytes are its bound. */
  synchronized void add(String lease, long most, LongStream processes) {
    bounds.put(lease, most);
    Set<ProcessHandle> its = leases.computeIfAbsent(lease, _ -> new HashSet<>());
    processes.mapToObj(ProcessHandle::of).flatMap(Optional::stream).forEach(its::add);
    if (timer == null) {
      timer =
          Executors.newSingleThreadScheduledExecutor(
              Thread.ofPlatform().name("memory-watch").daemon(true).factory());
      var unused =
          timer.scheduleWithFixedDelay(this::look, PERIOD_MS, PERIOD_MS, TimeUnit.MILLISECONDS);
    }
  }

  /** Ends who is too much. */
  synchronized void look() {
    leases.values().forEach(processes -> processes.removeIf(process -> !process.isAlive()));
    leases.values().removeIf(Set::isEmpty);
    bounds.keySet().retainAll(leases.keySet());
    leases.forEach(this::look);
  }

  private void look(String lease, Set<ProcessHandle> processes) {
    long bytes = bounds.get(lease);
    List<Resident> having = having(processes);
    long sum = having.stream().mapToLong(Resident::bytes).sum();
    for (Iterator<Resident> next = having.iterator(); sum > bytes && next.hasNext(); ) {
      Resident largest = next.next();
      sum -= largest.bytes();
      Log.warn(
          "lease %s has more than %d bytes of the host's memory: process %d ends"
              .formatted(lease, bytes, largest.process().pid()));
      boolean unused = largest.process().destroyForcibly();
    }
  }

  /** Those that are there, the largest first. */
  private static List<Resident> having(Set<ProcessHandle> processes) {
    return processes.stream()
        .flatMap(process -> Stream.concat(Stream.of(process), process.descendants()))
        .distinct()
        .map(process -> new Resident(process, resident(process)))
        .sorted(Comparator.comparingLong(Resident::bytes).reversed())
        .toList();
  }

  private static long resident(ProcessHandle process) {
    try {
      Path status = PROCESSES.resolve(Long.toString(process.pid())).resolve("status");
      return Files.readAllLines(status).stream()
          .map(line -> line.split("\\s+"))
          .filter(words -> words.length > 1 && COUNTED.contains(words[0]))
          .mapToLong(words -> Long.parseLong(words[1]) * KIB)
          .sum();
    } catch (IOException gone) {
      return 0;
    }
  }

  @Override
  public synchronized void close() {
    if (timer != null) {
      timer.shutdownNow();
    }
  }
}
