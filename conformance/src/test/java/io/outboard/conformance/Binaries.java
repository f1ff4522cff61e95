// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The ELF files of a folder, as {@code readelf} sees them; links to others are none. */
final class Binaries {
  /** No symbol is newer than this minor version of glibc 2. */
  private static final int NEWEST_GLIBC = 17;

  private static final byte[] ELF = {0x7f, 'E', 'L', 'F'};
  private static final Pattern GLIBC = Pattern.compile("\\bGLIBC_2\\.(\\d+)");
  private static final Pattern OTHER_GLIBC = Pattern.compile("\\bGLIBC_(?!2\\.\\d)\\S*");
  private static final Pattern NEEDED = Pattern.compile("\\(NEEDED\\).*\\[(.*)\\]");
  private static final Pattern MACHINE = Pattern.compile("Machine:\\s+(.*)");

  // The C library's own.
  private static final Set<String> SYSTEM =
      Set.of(
          "libc.so.6",
          "libpthread.so.0",
          "libdl.so.2",
          "ld-linux-x86-64.so.2",
          "ld-linux-aarch64.so.1");

  /** A name of the profiling library: loaded into each process, it needs no library at all. */
  private static final String PROFILERS = "libcupti.so";

  private final List<Path> files;

  /** Those below a folder, of which there are to be at least so many. */
  Binaries(Path folder, int least) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      files = all.filter(Binaries::isElf).toList();
    }
    assertTrue(files.size() >= least, files::toString);
  }

  private static boolean isElf(Path file) {
    if (!Files.isRegularFile(file) || Files.isSymbolicLink(file)) {
      return false;
    }
    try (var in = Files.newInputStream(file)) {
      return Arrays.equals(ELF, in.readNBytes(ELF.length));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Fails if one is for another processor than that of {@code readelf}'s name. */
  void areFor(String machine) throws IOException, InterruptedException {
    for (Path file : files) {
      assertEquals(List.of(machine), found(MACHINE, "--file-header", file), file::toString);
    }
  }

  /**
   * Fails if one wants a symbol of the C library that is newer than 2.17, or none at all.
   *
   * @param forwarders the names of files that have no code and so want nothing of it
   */
  void needNothingNewerThanGlibc217(Set<String> forwarders)
      throws IOException, InterruptedException {
    for (Path file : files) {
      List<String> minors = found(GLIBC, "--version-info", file);
      boolean none = forwarders.contains(name(file)) || name(file).startsWith(PROFILERS);
      assertEquals(none, minors.isEmpty(), file::toString);
      for (String minor : minors) {
        assertTrue(Integer.parseInt(minor) <= NEWEST_GLIBC, () -> file + " needs glibc 2." + minor);
      }
      String versions = readelf("--version-info", file);
      assertFalse(OTHER_GLIBC.matcher(versions).find(), versions);
    }
  }

  /** Fails if one needs a library that is neither the C library's own nor among these. */
  void needNoOtherLibrary(Set<String> brought) throws IOException, InterruptedException {
    for (Path file : files) {
      Set<String> needed = new TreeSet<>(found(NEEDED, "--dynamic", file));
      boolean none = name(file).startsWith(PROFILERS);
      assertEquals(none, needed.isEmpty(), () -> file + " needs " + needed + ": was it read?");
      needed.removeAll(SYSTEM);
      needed.removeAll(brought);
      assertEquals(Set.of(), needed, file::toString);
    }
  }

  private static String name(Path file) {
    return file.getFileName().toString();
  }

  private static List<String> found(Pattern pattern, String what, Path file)
      throws IOException, InterruptedException {
    Matcher matcher = pattern.matcher(readelf(what, file));
    List<String> all = new ArrayList<>();
    while (matcher.find()) {
      all.add(matcher.group(1));
    }
    return all;
  }

  private static String readelf(String what, Path file) throws IOException, InterruptedException {
    Program.Ended ended =
        Program.run(List.of("readelf", "--wide", what, file.toString()), Map.of("LC_ALL", "C"));
    assertEquals(0, ended.status(), ended::toString);
    return ended.output();
  }
}
