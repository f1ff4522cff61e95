// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.lease;

import io.outboard.bench.measure.Folder;
import io.outboard.lease.Gpu;
import io.outboard.lease.LeaseException;
import io.outboard.lease.LeaseRequest;
import io.outboard.lease.postgres.PostgresLocation;
import io.outboard.lease.sqlite.SqliteLocation;
import io.outboard.lease.store.StoreLocation;
import io.outboard.pool.Pool;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code outboard bench leases}: grants and releases over HTTP, or without it through the same
 * door, each on the disk before it is told, with many leases alive; beside what one write that is
 * forced to that disk costs.
 */
@Command(
    name = "leases",
    mixinStandardHelpOptions = true,
    description = {
      "Measures how many leases are granted and released a second, and how long each takes, with many alive,",
      "beside what one forced write to the same disk costs."
    })
public final class LeaseBench implements Callable<Integer> {
  private static final int LEASES_OF_A_GPU = 10;
  private static final int TENANTS = 8;
  private static final int SHARE = LeaseRequest.WHOLE / LEASES_OF_A_GPU;
  private static final int WRITES = 200;
  private static final int PAGE = 4_096;
  private static final long SECOND = 1_000_000_000;
  private static final double MILLI = 1e6;

  @Option(
      names = "--store",
      paramLabel = "URI",
      description = "An empty database, postgresql://…; by default a file of SQLite in --folder.")
  private String store;

  @Option(names = "--http", description = "Over the HTTP interface, as clients ask it.")
  private boolean http;

  @Option(
      names = "--alive",
      paramLabel = "N",
      defaultValue = "1000",
      description = "Leases that are there meanwhile. Default: ${DEFAULT-VALUE}")
  private int alive;

  @Option(
      names = "--clients",
      paramLabel = "N",
      defaultValue = "4",
      description = "Who asks at the same time. Default: ${DEFAULT-VALUE}")
  private int clients;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "10",
      description = "How long. Default: ${DEFAULT-VALUE}")
  private int seconds;

  @Option(
      names = "--folder",
      paramLabel = "FOLDER",
      defaultValue = "/var/tmp",
      description = "On the disk that is to be used. Default: ${DEFAULT-VALUE}")
  private Path folder;

  @Override
  public Integer call() throws IOException, InterruptedException, LeaseException {
    Path state = Files.createTempDirectory(folder, "outboard-bench");
    try (Pool pool = new Pool(location(state), false)) {
      long[] writes = forcedWrites(state.resolve("write"));
      pool.open(gpus());
      try (LeaseDoor door = http ? LeaseDoor.overHttp(pool, state) : LeaseDoor.of(pool)) {
        for (int i = 0; i < alive; i++) {
          String unused = door.lease("tenant" + i % TENANTS, SHARE);
        }
        // The virtual machine compiles what it runs often.
        List<Times> unused = run(door, SECOND);
        long begin = System.nanoTime();
        report(run(door, seconds * SECOND), System.nanoTime() - begin, writes);
      }
    } finally {
      Folder.remove(state);
    }
    return 0;
  }

  /** As many as are needed for all leases, and some that are free. */
  private List<Gpu> gpus() {
    int count = (alive + clients) / LEASES_OF_A_GPU + 1;
    return IntStream.range(0, count)
        .mapToObj(number -> new Gpu(number, "GPU-" + number, "GPU", 80L << 30))
        .toList();
  }

  private StoreLocation location(Path state) {
    return store == null ? SqliteLocation.in(state) : PostgresLocation.parse(store);
  }

  /** The measurements of one client, in nanoseconds. */
  private record Times(List<Long> grants, List<Long> releases) {}

  private List<Times> run(LeaseDoor door, long nanos) throws InterruptedException {
    long end = System.nanoTime() + nanos;
    try (ExecutorService threads = Executors.newFixedThreadPool(clients)) {
      List<Callable<Times>> work =
          IntStream.range(0, clients)
              .<Callable<Times>>mapToObj(client -> () -> client(door, client, end))
              .toList();
      List<Times> all = new ArrayList<>();
      for (Future<Times> one : threads.invokeAll(work)) {
        all.add(one.get());
      }
      return all;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }

  private static Times client(LeaseDoor door, int client, long end)
      throws LeaseException, IOException {
    Times times = new Times(new ArrayList<>(), new ArrayList<>());
    while (System.nanoTime() < end) {
      long begin = System.nanoTime();
      String lease = door.lease("tenant" + client % TENANTS, SHARE);
      long granted = System.nanoTime();
      door.release(lease);
      times.grants().add(granted - begin);
      times.releases().add(System.nanoTime() - granted);
    }
    return times;
  }

  private static long[] forcedWrites(Path file) throws IOException {
    long[] times = new long[WRITES];
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      for (int i = 0; i < WRITES; i++) {
        long begin = System.nanoTime();
        int unused = channel.write(ByteBuffer.allocate(PAGE));
        channel.force(false);
        times[i] = System.nanoTime() - begin;
      }
    }
    return times;
  }

  private void report(List<Times> all, long took, long[] writes) {
    long[] grants = times(all.stream().map(Times::grants));
    long[] releases = times(all.stream().map(Times::releases));
    PrintStream out = System.out;
    out.printf(
        "%s%s, %d leases alive, %d clients, %d s: %.0f grants and releases a second%n",
        store == null ? "SQLite" : "PostgreSQL",
        http ? " over HTTP" : "",
        alive,
        clients,
        seconds,
        grants.length * (double) SECOND / took);
    out.printf("%-14s %10s %10s %10s%n", "milliseconds", "median", "p99", "longest");
    row(out, "grant", grants);
    row(out, "release", releases);
    row(out, "forced write", writes);
  }

  private static long[] times(Stream<List<Long>> lists) {
    return lists.flatMap(List::stream).mapToLong(Long::longValue).toArray();
  }

  private static void row(PrintStream out, String name, long[] times) {
    long[] sorted = LongStream.of(times).sorted().toArray();
    out.printf(
        "%-14s %10.2f %10.2f %10.2f%n",
        name, at(sorted, 50), at(sorted, 99), sorted[sorted.length - 1] / MILLI);
  }

  private static double at(long[] sorted, int percent) {
    return sorted[(int) ((long) sorted.length * percent / 100)] / MILLI;
  }
}
