// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.testkit;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A server of PostgreSQL in a folder for a time, of an ordinary user: root's tests have it as
 * {@code nobody}, whom PostgreSQL serves and whom root does not.
 */
public final class PostgresServer implements AutoCloseable {
  /** The user, and the database. */
  public static final String NAME = "outboard";

  private static final Path DEBIAN = Path.of("/usr/lib/postgresql");
  private static final String NOBODY = "nobody";
  private static final String LOOPBACK = "127.0.0.1";
  private static final int STARTS = 5;

  /** A small disk is full as soon as one more is wanted. */
  private static final String MEGABYTES_A_SEGMENT = "1";

  /** Seconds that a server may take to begin and to end, on a machine that is busy. */
  private static final String PATIENCE = "300";

  private final Place place;
  private final Path folder;
  private final int port;

  /**
   * Where one runs.
   *
   * @param prefix words before each command, as of a namespace
   * @param address where it listens
   * @param folder an empty one for its files, which stay; none: one that goes with it
   */
  public record Place(List<String> prefix, String address, Optional<Path> folder) {
    private static final Place HERE = new Place(List.of(), LOOPBACK, Optional.empty());

    /** A copy. */
    public Place {
      prefix = List.copyOf(prefix);
    }
  }

  private PostgresServer(Place place, Path folder, int port) {
    this.place = place;
    this.folder = folder;
    this.port = port;
  }

  /** Where there is no PostgreSQL its package is told, and the test skipped. */
  public static void assumeInstalled() {
    try {
      Path unused = binaries();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts an empty one; who has no PostgreSQL is told its package, and skips the test. */
  public static PostgresServer start() {
    return start(Place.HERE);
  }

  /** The same elsewhere, where whoever reaches it is let in. */
  public static PostgresServer start(Place place) {
    try {
      Path folder = made(place);
      command(
          place,
          "initdb",
          "-D",
          data(folder),
          "-U",
          NAME,
          "-A",
          "trust",
          "-E",
          "UTF8",
          "--locale=C",
          "--no-sync",
          "--wal-segsize=" + MEGABYTES_A_SEGMENT);
      Files.writeString(
          folder.resolve("data/pg_hba.conf"),
          "host all all %s/24 trust\n".formatted(place.address()),
          StandardOpenOption.APPEND);
      PostgresServer server = started(place, folder);
      server.run("createdb", NAME);
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts one with what would be found of this one after a power cut at this moment. */
  public PostgresServer afterPowerCut() {
    try {
      Path copy = made(Place.HERE);
      copyFiles(folder.resolve("data"), copy.resolve("data"));
      Files.delete(copy.resolve("data/postmaster.pid"));
      return started(Place.HERE, copy);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.copy(from, to, StandardCopyOption.COPY_ATTRIBUTES);
    Files.setOwner(to, Files.getOwner(from));
  }

  private static Path made(Place place) throws IOException {
    Path folder =
        place.folder().isPresent()
            ? place.folder().get()
            : Files.createTempDirectory("outboard-postgres");
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
    if (isRoot()) {
      UserPrincipal nobody =
          folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(NOBODY);
      Files.setOwner(folder, nobody);
    }
    return folder;
  }

  /** Whoever else takes the port first makes it take another one. */
  private static PostgresServer started(Place place, Path folder) throws IOException {
    for (int attempt = 1; ; attempt++) {
      PostgresServer server = new PostgresServer(place, folder, freePort());
      try {
        server.start(server.port);
        return server;
      } catch (IOException e) {
        if (attempt == STARTS) {
          throw e;
        }
      }
    }
  }

  private void start(int at) throws IOException {
    String options = "-p %d -k '' -h %s -F".formatted(at, place.address());
    command(
        place,
        "pg_ctl",
        "-D",
        data(folder),
        "-w",
        "-t",
        PATIENCE,
        "-l",
        folder + "/log",
        "-o",
        options,
        "start");
    Runtime.getRuntime().addShutdownHook(new Thread(this::kill, "postgres"));
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static String data(Path folder) {
    return folder.resolve("data").toString();
  }

  private static boolean isRoot() {
    return "root".equals(System.getProperty("user.name"));
  }

  /** Where programs connect to, with parameters. */
  public String uri(String parameters) {
    return "postgresql://%s@%s:%d/%s%s".formatted(NAME, place.address(), port, NAME, parameters);
  }

  /** Runs a program of PostgreSQL's against the server. */
  public void run(String program, String... arguments) {
    List<String> words =
        new ArrayList<>(List.of("-h", place.address(), "-p", Integer.toString(port), "-U", NAME));
    words.addAll(List.of(arguments));
    try {
      command(place, program, words.toArray(String[]::new));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes so many bytes ahead and nothing else; whether it could. */
  public boolean accepts(int bytes) {
    try {
      run(
          "psql",
          "-c",
          "SELECT pg_logical_emit_message(true, 'outboard', repeat('x', %d))".formatted(bytes));
      return true;
    } catch (UncheckedIOException e) {
      return false;
    }
  }

  /** Ends it as a power cut would, but for what the kernel has yet to write. */
  public void crash() {
    stop("immediate");
  }

  /** From now on it has what a copy of its files has; it has crashed before. */
  public void restore(Path backup) {
    try {
      Files.walkFileTree(folder.resolve("data"), new Removal());
      copyFiles(backup, folder.resolve("data"));
      startAgain();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Copies its files, while it is crashed, to a folder that is not there yet. */
  public void backUp(Path to) {
    try {
      copyFiles(folder.resolve("data"), to);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void copyFiles(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        copy(file, to.resolve(from.relativize(file)));
      }
    }
  }

  /** Starts it again after a crash. */
  public void startAgain() {
    try {
      start(port);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Where its disk is full it may end by itself meanwhile. */
  private void stop(String how) {
    try {
      command(place, "pg_ctl", "-D", data(folder), "-w", "-t", PATIENCE, "-m", how, "stop");
    } catch (IOException e) {
      if (isThere()) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private boolean isThere() {
    return Files.exists(folder.resolve("data/postmaster.pid"));
  }

  private void kill() {
    if (isThere()) {
      stop("immediate");
    }
  }

  private static void command(Place place, String program, String... arguments) throws IOException {
    List<String> words = new ArrayList<>(place.prefix());
    if (isRoot()) {
      words.addAll(List.of("setpriv", "--reuid=" + NOBODY, "--regid=nogroup", "--clear-groups"));
    }
    words.add(binaries().resolve(program).toString());
    words.addAll(List.of(arguments));
    Path output = Files.createTempFile("outboard-postgres", ".out");
    try {
      Process process =
          new ProcessBuilder(words)
              .directory(new File("/"))
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      if (process.waitFor() != 0) {
        throw new IOException(String.join(" ", words) + ": " + Files.readString(output));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    } finally {
      Files.delete(output);
    }
  }

  private static Path binaries() throws IOException {
    List<Path> found = List.of();
    if (Files.isDirectory(DEBIAN)) {
      try (Stream<Path> versions = Files.list(DEBIAN)) {
        found =
            versions
                .map(version -> version.resolve("bin"))
                .filter(folder -> Files.isExecutable(folder.resolve("initdb")))
                .sorted()
                .toList();
      }
    }
    assumeTrue(!found.isEmpty(), "PostgreSQL is not installed");
    return found.getLast();
  }

  @Override
  public void close() {
    kill();
    if (place.folder().isPresent()) {
      return;
    }
    try {
      Files.walkFileTree(folder, new Removal());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final class Removal extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.delete(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path visited, IOException e) throws IOException {
      Files.delete(visited);
      return FileVisitResult.CONTINUE;
    }
  }
}
