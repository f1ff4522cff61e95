// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.launch;

import io.outboard.backend.system.Log;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Bounds of the host's memory: all workers of a lease have a control group of the kernel together,
 * of version 1 or 2. What a worker had before it joined is not counted: the virtual machine, and no
 * byte of a client. A worker that is beyond the bound is ended by the kernel, and nobody else.
 */
public final class MemoryGroups implements AutoCloseable {
  private static final String OWN = "outboard-";
  private static final String PROCESSES = "cgroup.procs";
  private static final String CHILDREN = "cgroup.subtree_control";
  private static final String MEMORY = "+memory";
  private static final String LIMIT = "memory.limit_in_bytes";
  private static final String LIMIT_OF_SECOND = "memory.max";

  private final long bytes;
  private final Optional<Place> place;
  private final MemoryWatch watch;
  private final AtomicBoolean told = new AtomicBoolean();

  /**
   * Where groups can be made.
   *
   * @param folder of this daemon's groups
   * @param limit the file of a group that has its bound
   */
  private record Place(Path folder, String limit) {}

  private MemoryGroups(long bytes, Optional<Place> place) {
    this.bytes = bytes;
    this.place = place;
    this.watch = new MemoryWatch();
  }

  /**
   * Finds out whether there can be such groups, of so many bytes each. In version 2 that is before
   * this process starts others, which would be in the way.
   */
  public static MemoryGroups create(long bytes) {
    return create(bytes, Path.of("/"));
  }

  /** The same below another root folder. */
  static MemoryGroups create(long bytes, Path root) {
    return new MemoryGroups(bytes, place(root));
  }

  private static Optional<Place> place(Path root) {
    try {
      List<String> groups = Files.readAllLines(root.resolve("proc/self/cgroup"));
      List<String> mounts = Files.readAllLines(root.resolve("proc/self/mounts"));
      Optional<Path> first =
          folder(root, mounts, groups, "cgroup", options -> options.contains("memory"), ":memory:");
      return first.isPresent()
          ? first.filter(Files::isWritable).map(own -> place(own, LIMIT))
          : second(root, mounts, groups);
    } catch (IOException e) {
      Log.debug("no control group of memory: " + e);
      return Optional.empty();
    }
  }

  /** In version 2 a group has either processes or groups within that have a bound. */
  private static Optional<Place> second(Path root, List<String> mounts, List<String> groups)
      throws IOException {
    Optional<Path> own = folder(root, mounts, groups, "cgroup2", _ -> true, "0::");
    if (own.isEmpty()) {
      return Optional.empty();
    }
    Path daemon = Files.createDirectories(own.get().resolve(OWN + "daemon"));
    Files.writeString(daemon.resolve(PROCESSES), "0");
    Files.writeString(own.get().resolve(CHILDREN), MEMORY);
    Place made = place(own.get(), LIMIT_OF_SECOND);
    Files.createDirectories(made.folder());
    Files.writeString(made.folder().resolve(CHILDREN), MEMORY);
    return Optional.of(made);
  }

  private static Place place(Path own, String limit) {
    removeLeft(own);
    return new Place(own.resolve(OWN + ProcessHandle.current().pid()), limit);
  }

  /** The folder of this process's group, in a file system of such a type. */
  private static Optional<Path> folder(
      Path root,
      List<String> mounts,
      List<String> groups,
      String type,
      Predicate<List<String>> options,
      String mark) {
    Optional<String> mount =
        mounts.stream()
            .map(line -> line.split(" "))
            .filter(words -> words.length > 3 && words[2].equals(type))
            .filter(words -> options.test(List.of(words[3].split(","))))
            .map(words -> words[1])
            .findFirst();
    Optional<String> group =
        groups.stream()
            .filter(line -> line.contains(mark))
            .map(line -> line.substring(line.indexOf(mark) + mark.length()))
            .findFirst();
    return mount.flatMap(at -> group.map(own -> root.resolve((at + own).substring(1))));
  }

  /** Those of daemons that have ended, once nobody is in them. */
  private static void removeLeft(Path own) {
    within(own).stream()
        .filter(group -> isOfEnded(group.getFileName().toString()))
        .forEach(MemoryGroups::removeTree);
  }

  /** A daemon that lives may be about to fill a group that is empty now. */
  private static boolean isOfEnded(String name) {
    return name.matches(OWN + "\\d{1,18}")
        && ProcessHandle.of(Long.parseLong(name.substring(OWN.length()))).isEmpty();
  }

  private static void removeTree(Path folder) {
    within(folder).forEach(MemoryGroups::remove);
    remove(folder);
  }

  /** The groups in a folder, of which others may take some away meanwhile. */
  private static List<Path> within(Path folder) {
    try (Stream<Path> groups = Files.list(folder)) {
      return groups.filter(Files::isDirectory).toList();
    } catch (IOException | UncheckedIOException e) {
      Log.debug("groups that are not listed: " + e);
      return List.of();
    }
  }

  private static void remove(Path group) {
    try {
      // Not by the library, which would look for files: the kernel's own go with the folder.
      Files.deleteIfExists(group);
    } catch (IOException e) {
      Log.debug("somebody is in a group: " + e.getMessage());
    }
  }

  /**
   * Has a lease's bound hold for processes and all that they start from now on.
   *
   * @throws IOException if it does not, though others have one: nobody is served without
   */
  public void join(String lease, LongStream processes) throws IOException {
    join(lease, bytes, processes);
  }

  /** The same of a bound of its own, in bytes, for processes that share a name. */
  public synchronized void join(String name, long most, LongStream processes) throws IOException {
    if (place.isEmpty()) {
      tellOnce();
      watch.add(name, most, processes);
    } else if (name.matches("\\p{Alnum}+")) {
      join(place.get(), name, most, processes);
    }
  }

  private void tellOnce() {
    if (!told.getAndSet(true)) {
      Log.warn(
          "the host's memory that leases have is looked up once a second, and not bounded by the"
              + " kernel: no control group can be made here");
    }
  }

  private static void join(Place place, String name, long most, LongStream processes)
      throws IOException {
    Path group = Files.createDirectories(place.folder().resolve(name));
    Files.writeString(group.resolve(place.limit()), Long.toString(most));
    for (long process : processes.toArray()) {
      join(group, process);
    }
  }

  private static void join(Path group, long process) throws IOException {
    try {
      Files.writeString(group.resolve(PROCESSES), Long.toString(process));
    } catch (IOException e) {
      if (ProcessHandle.of(process).isPresent()) {
        throw e;
      }
    }
  }

  /** A worker has ended: groups without any go. */
  public synchronized void left() {
    place.map(Place::folder).ifPresent(own -> within(own).forEach(MemoryGroups::remove));
  }

  @Override
  public void close() {
    watch.close();
    place.map(Place::folder).filter(Files::exists).ifPresent(MemoryGroups::removeTree);
  }
}
