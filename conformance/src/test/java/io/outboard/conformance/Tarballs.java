// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The tarballs that {@code outboard dist} makes, of what was just built; each made once. */
final class Tarballs {
  // A server's has a runtime that is compressed and a cache that is trained.
  private static final Duration LIMIT = Duration.ofMinutes(5);

  private static final String VERSION = "test";
  private static final Path SCRIPTS = Home.PATH.resolve("cli/sh");
  private static final Path FRONTEND = Home.PATH.resolve("frontend/target");
  private static final Path FOLDER = Home.PATH.resolve("conformance/target/dist");

  private static final String JDK = System.getProperty("java.home");

  private static final Set<Path> MADE = new HashSet<>();

  private Tarballs() {}

  /** The client's. */
  static Path client() throws IOException, InterruptedException {
    return once("client.tar.gz", "client.sh", FRONTEND.toString(), VERSION);
  }

  /** The client's for another processor, as its cross compiler makes it. */
  static Path foreignClient(String architecture) throws IOException, InterruptedException {
    String frontend = Home.PATH.resolve("frontend").toString();
    run("make", "-s", "-C", frontend, "cross", "FOREIGN=" + architecture + "-linux-gnu");
    Path file = FOLDER.resolve("client-" + architecture + ".tar.gz");
    make("client.sh", foreign(architecture).toString(), VERSION, file.toString(), architecture);
    return file;
  }

  private static Path foreign(String architecture) {
    return FRONTEND.resolve(architecture + "-linux-gnu");
  }

  /** The Python wheel of this machine's client, in a folder. */
  static Path wheel(String version, Path folder) throws IOException, InterruptedException {
    return wheel(version, System.getProperty("os.arch"), FRONTEND, client(), folder);
  }

  /** The Python wheel of another processor's client, in a folder. */
  static Path foreignWheel(String version, String architecture, Path client, Path folder)
      throws IOException, InterruptedException {
    return wheel(version, architecture, foreign(architecture), client, folder);
  }

  private static Path wheel(
      String version, String architecture, Path frontend, Path client, Path folder)
      throws IOException, InterruptedException {
    String made =
        make(
            "wheel.sh",
            Home.PATH.toString(),
            JDK,
            version,
            architecture.replace("amd64", "x86_64"),
            frontend.toString(),
            client.toString(),
            folder.toString());
    return Path.of(made.strip());
  }

  /** The server's, with a runtime out of the JDK that runs the tests. */
  static Path server() throws IOException, InterruptedException {
    return once("server.tar.gz", "server.sh", Home.PATH.toString(), JDK, VERSION);
  }

  /** The Debian packages of both, in a folder. */
  static void packages(String version, Path server, Path client, Path folder)
      throws IOException, InterruptedException {
    make(
        "package.sh",
        Home.PATH.toString(),
        version,
        server.toString(),
        client.toString(),
        folder.toString());
  }

  /** Debian's package of the client, in a folder; that of the server beside it is none. */
  static Path clientPackage(Path folder) throws IOException, InterruptedException {
    packages("1.0", client(), client(), folder);
    return folder.resolve("outboard-client_1.0_amd64.deb");
  }

  /** The kit that plug-ins are built with. */
  static Path sdk() throws IOException, InterruptedException {
    return sdk(VERSION);
  }

  /** The same as if Outboard had another version. */
  static Path sdk(String version) throws IOException, InterruptedException {
    return once("sdk-" + version + ".tar.gz", "sdk.sh", Home.PATH.toString(), JDK, version);
  }

  /** Whether there is what the server's tarball is made of: the build's last phases make it. */
  static boolean canMakeServer() {
    return Files.exists(Home.PATH.resolve("cli/target/outboard-cli.jar"))
        && Files.isDirectory(Home.PATH.resolve("cli/target/lib"))
        && Files.exists(Path.of(JDK, "bin/jlink"));
  }

  /** Unpacks one; returns its only folder. */
  static Path unpack(Path tarball, Path into) throws IOException, InterruptedException {
    Files.createDirectories(into);
    run("tar", "-C", into.toString(), "-xzf", tarball.toString());
    try (var files = Files.list(into)) {
      List<Path> all = files.toList();
      assertEquals(1, all.size(), "one folder in " + tarball);
      return all.getFirst();
    }
  }

  /** Classes that run beside each other want the same. */
  private static synchronized Path once(String name, String script, String... arguments)
      throws IOException, InterruptedException {
    Path file = FOLDER.resolve(name);
    if (!MADE.contains(file)) {
      String[] command = Arrays.copyOf(arguments, arguments.length + 1);
      command[arguments.length] = file.toString();
      String unused = make(script, command);
      MADE.add(file);
    }
    return file;
  }

  private static String make(String script, String... arguments)
      throws IOException, InterruptedException {
    String[] command = new String[arguments.length + 2];
    command[0] = "sh";
    command[1] = SCRIPTS.resolve(script).toString();
    System.arraycopy(arguments, 0, command, 2, arguments.length);
    return run(command);
  }

  private static String run(String... command) throws IOException, InterruptedException {
    Program.Ended ended = Program.run(List.of(command), Map.of(), LIMIT);
    assertEquals(0, ended.status(), ended::toString);
    return ended.output();
  }
}
