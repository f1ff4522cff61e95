// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.machine;

import io.outboard.communicator.posix.PrivateFiles;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The folders of a user's machines. Each is locked by the process that has made the machine, so
 * that another one sees which are nobody's any more, whatever has ended that process.
 */
public final class MachineFolders {
  private static final String LOCK = "lock";
  private static final String PROCESS = "process";

  private final Path all;

  /**
   * Those of a user.
   *
   * @param state the user's folder of what is to stay
   */
  public MachineFolders(Path state) {
    all = state.resolve("machines");
  }

  /** A folder that this process has. */
  public static final class Held implements AutoCloseable {
    private final Path path;
    private final FileLock lock;

    private Held(Path path, FileLock lock) {
      this.path = path;
      this.lock = lock;
    }

    Path path() {
      return path;
    }

    /** Notes the machine's process, which others end when this one has ended. */
    void note(ProcessHandle machine) throws IOException {
      Files.writeString(path.resolve(PROCESS), identity(machine));
    }

    /** Removes it; one that is removed stays so. */
    @Override
    public void close() throws IOException {
      remove(path);
      lock.channel().close();
    }
  }

  /** Makes the folder of a machine. */
  public Held make(String name) throws IOException {
    PrivateFiles.own(all);
    Path folder = all.resolve(name);
    PrivateFiles.createFolders(folder);
    return lock(folder).orElseThrow(() -> new IOException(folder + " is another process's"));
  }

  private static Optional<Held> lock(Path folder) throws IOException {
    FileChannel file =
        FileChannel.open(folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      FileLock lock = file.tryLock();
      if (lock != null) {
        return Optional.of(new Held(folder, lock));
      }
    } catch (OverlappingFileLockException e) {
      // This process has it.
    }
    file.close();
    return Optional.empty();
  }

  /**
   * Ends the machines whose process has ended, and removes their folders.
   *
   * @return their names
   */
  public List<String> reconcile() throws IOException {
    List<String> ended = new ArrayList<>();
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(all)) {
      for (Path folder : folders) {
        Optional<Held> left = lock(folder);
        if (left.isPresent()) {
          if (end(folder)) {
            ended.add(folder.getFileName().toString());
          }
          left.get().close();
        }
      }
    } catch (NoSuchFileException e) {
      return ended;
    }
    return ended;
  }

  /**
   * Ends the machine that was there; returns whether there was one. A number may be another
   * process's by now: that has begun at another time.
   */
  private static boolean end(Path folder) throws IOException {
    Path file = folder.resolve(PROCESS);
    if (!Files.exists(file)) {
      return false;
    }
    String noted = Files.readString(file);
    ProcessHandle.allProcesses()
        .filter(one -> noted.equals(identity(one)))
        .forEach(ProcessHandle::destroyForcibly);
    return true;
  }

  private static String identity(ProcessHandle process) {
    return process.pid() + " " + process.info().startInstant().map(Object::toString).orElse("");
  }

  private static void remove(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
