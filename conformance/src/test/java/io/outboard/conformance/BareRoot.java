// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A root of a container that holds a shell, the client's tarball in {@code /opt} and one program,
 * each with the libraries of this machine that it is linked with, and nothing else: no device, no
 * Java, no {@code /proc}.
 */
final class BareRoot {
  // A line of ldd: a name and its place, or the dynamic linker alone.
  private static final Pattern LINKED = Pattern.compile("^\\s*(?:\\S+ => )?(/\\S+) \\(0x");

  private final Path root;
  private final String program;

  /** Makes one in an empty folder. */
  BareRoot(Path root, Path program) throws IOException, InterruptedException {
    this.root = root;
    this.program = "/work/" + program.getFileName();
    for (String folder : List.of("bin", "run/outboard", "tmp", "work")) {
      Files.createDirectories(root.resolve(folder));
    }
    Files.move(Tarballs.unpack(Tarballs.client(), root.resolve("unpacked")), root.resolve("opt"));
    Files.delete(root.resolve("unpacked"));
    copyLinked(Path.of("/bin/sh"), "bin/sh");
    copyLinked(program, this.program.substring(1));
    copyLibraries(root.resolve("opt/lib/libcuda.so.1"));
  }

  /** Makes further folders, for something to be mounted there. */
  void addPlaces(String... folders) throws IOException {
    for (String folder : folders) {
      Files.createDirectories(root.resolve(folder));
    }
  }

  private void copyLinked(Path file, String to) throws IOException, InterruptedException {
    Files.copy(file.toRealPath(), root.resolve(to));
    copyLibraries(file);
  }

  private void copyLibraries(Path file) throws IOException, InterruptedException {
    Program.Ended ldd = Program.run(List.of("ldd", file.toString()), Map.of());
    assertEquals(0, ldd.status(), ldd::toString);
    for (String line : ldd.output().lines().toList()) {
      Matcher linked = LINKED.matcher(line);
      if (linked.find() && !line.contains("libcuda") && !line.contains("liboutboard")) {
        copySystemFile(Path.of(linked.group(1)));
      }
    }
  }

  private void copySystemFile(Path file) throws IOException {
    Path to = root.resolve(file.toString().substring(1));
    if (!Files.exists(to, LinkOption.NOFOLLOW_LINKS)) {
      Files.createDirectories(to.getParent());
      Files.copy(file.toRealPath(), to, StandardCopyOption.COPY_ATTRIBUTES);
    }
  }

  /** Whether this machine lets its users make namespaces. */
  static boolean isPermitted() throws IOException, InterruptedException {
    try {
      return Program.run(List.of("unshare", "-rmn", "true"), Map.of()).status() == 0;
    } catch (IOException _) {
      return false;
    }
  }

  /**
   * Runs the program with its only way out a folder with a socket, mounted as {@code
   * /run/outboard}: in user, mount and network namespaces of its own.
   */
  Program.Ended runOverSocket(Path folder) throws IOException, InterruptedException {
    return run(
        "-rmn",
        "mount --bind '%s' '%s'".formatted(folder, root.resolve("run/outboard")),
        "unix:/run/outboard/outboard.sock");
  }

  /** Runs the program in user and mount namespaces of its own; the network is the host's. */
  Program.Ended runOverTcp(String uri, String token) throws IOException, InterruptedException {
    return run("-rm", "true", uri, "OUTBOARD_TOKEN=" + token);
  }

  private Program.Ended run(String namespaces, String before, String uri, String... variables)
      throws IOException, InterruptedException {
    String line =
        "%s && exec env -i \"$@\" /usr/sbin/chroot '%s' /opt/bin/outboard-run --on '%s' -- '%s'"
            .formatted(before, root, uri, program);
    List<String> command = new ArrayList<>(List.of("unshare", namespaces, "sh", "-ec", line, "sh"));
    command.addAll(Arrays.asList(variables));
    return Program.run(command, Map.of());
  }
}
