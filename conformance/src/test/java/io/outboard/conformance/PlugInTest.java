// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Plug-ins that are built with what {@code outboard dist} publishes, outside of the sources, and
 * dropped into a folder: {@code examples/library} and {@code examples/communicator}.
 */
final class PlugInTest {
  private static final int MOST_LINES = 100;
  private static final String GZIP = "5242880 bytes, equal, closed 0 and 0\n";
  private static final String ZLIB = "zlib.jar";

  @TempDir private static Path shared;
  private static Path sdk;
  private static Path built;
  private static Path program;

  @TempDir private Path home;
  private Path plugins;
  private Launcher outboard;

  @BeforeAll
  static void build() throws IOException, InterruptedException {
    assumeTrue(hasZlib(), "this machine has no libz.so.1");
    sdk = Tarballs.unpack(Tarballs.sdk(), shared.resolve("sdk"));
    built = Files.createDirectories(shared.resolve("plugins"));
    for (String example : List.of("library", "communicator")) {
      Path out = make(example, Home.PATH.resolve("examples/" + example));
      copyAll(out.resolve("plugins"), built);
    }
    program = shared.resolve("gzip");
    Gcc.compile(
        List.of(
            "-o",
            program.toString(),
            Home.PATH.resolve("examples/library/program/gzip.c").toString(),
            "-l:libz.so.1"));
  }

  private static boolean hasZlib() throws IOException, InterruptedException {
    return Program.run(List.of("sh", "-c", "ldconfig -p | grep -q libz.so.1"), Map.of()).status()
        == 0;
  }

  private static Path make(String name, Path folder) throws IOException, InterruptedException {
    Path out = shared.resolve(name);
    Program.Ended ended =
        Program.run(
            List.of("make", "-C", folder.toString(), "SDK=" + sdk, "OUT=" + out),
            Map.of("JAVA_HOME", System.getProperty("java.home")));
    assertEquals(0, ended.status(), ended::toString);
    return out;
  }

  private static void copyAll(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  @BeforeEach
  void dropIn() throws IOException {
    outboard = new Launcher(home);
    plugins = Files.createDirectories(home.resolve("plugins"));
    copyAll(built, plugins);
    outboard.set("OUTBOARD_PLUGINS", plugins.toString());
  }

  @Test
  void aLibraryWorks() throws Exception {
    Program.Ended ended = gzip();
    assertEquals(GZIP, ended.output(), ended::toString);
    assertTrue(ended.errors().contains("\ngzread "), ended::toString);
    assertEquals(0, Program.run(List.of("gzip", "-t", file()), Map.of()).status());
  }

  @Test
  void whatFailsThereFailsHere() throws Exception {
    Program.Ended ended =
        outboard.run("run", "--device=software", "--", program.toString(), "/nowhere/file.gz");
    assertEquals(new Program.Ended(1, "gzopen: no file\n", ""), ended);
  }

  @Test
  void bothSidesLogTheSame() throws Exception {
    Path log = home.resolve("log");
    Program.Ended ended =
        outboard.run(
            "run", "--device=software", "--log", log.toString(), program.toString(), file());
    assertEquals(GZIP, ended.output(), ended::toString);
    List<String> here = Files.readAllLines(log);
    assertEquals(here, Files.readAllLines(home.resolve("log.backend")));
    assertTrue(here.stream().filter(line -> line.contains("gzwrite")).count() > 50);
  }

  @Test
  void withoutItTheProgramIsAsBefore() throws Exception {
    outboard.set("OUTBOARD_PLUGINS", home.resolve("none").toString());
    assertEquals(new Program.Ended(0, GZIP, ""), run());
  }

  @Test
  void aBackendWithoutItSaysSo() throws Exception {
    Files.delete(plugins.resolve(ZLIB));
    Program.Ended ended = run();
    assertEquals(1, ended.status(), ended::toString);
    assertEquals("gzopen: no file\n", ended.output());
  }

  @Test
  void theServersOwnRuntimeLoadsIt() throws Exception {
    assumeTrue(Tarballs.canMakeServer(), "no jar of the command: run the build's package phase");
    Path server = Tarballs.unpack(Tarballs.server(), home.resolve("server"));
    copyAll(built, Files.createDirectories(server.resolve("plugins")));
    Program.Ended ended =
        Program.run(
            List.of(
                server.resolve("bin/outboard").toString(),
                "run",
                "--device=software",
                "--report",
                "--",
                program.toString(),
                file()),
            Map.of("HOME", home.toString(), "JAVA_HOME", "", "PATH", "/usr/bin:/bin"));
    assertEquals(GZIP, ended.output(), ended::toString);
    assertTrue(ended.errors().contains("\ngzread "), ended::toString);
  }

  @Test
  void aCommunicatorWorks() throws Exception {
    String endpoint = "slow:" + home.resolve("slow.sock");
    Process backend = outboard.start("serve", "--device=software", "--listen=" + endpoint);
    try {
      assertEquals("serving Outboard Software GPU at " + endpoint, firstLine(backend));
      Program.Ended vectors = outboard.run("run", "--on", endpoint, Home.VECTOR_ADD.toString());
      assertEquals(new Program.Ended(0, Home.VECTOR_ADD_PASSED, ""), vectors);
      Program.Ended devices = outboard.run("devices", "--on", endpoint);
      assertEquals(0, devices.status(), devices::toString);
    } finally {
      backend.destroyForcibly().waitFor();
    }
  }

  @Test
  void whatIsWrongIsSaidAndTheRestServes() throws Exception {
    Files.writeString(plugins.resolve("broken.jar"), "no jar");
    Files.copy(plugins.resolve(ZLIB), plugins.resolve("zlib-again.jar"));
    Path foreign = Files.copy(plugins.resolve(ZLIB), plugins.resolve("foreign.jar"));
    manifest(foreign, "Outboard-Version: 9.9");
    Path lacking = Files.copy(plugins.resolve(ZLIB), plugins.resolve("lacking.jar"));
    manifest(lacking, "Outboard-Needs: libnowhere.so.7");
    Path hollow = Files.copy(plugins.resolve(ZLIB), plugins.resolve("hollow.jar"));
    remove(hollow, "example/HostZlib.class");
    Program.Ended list = outboard.run("plugins");
    assertEquals(0, list.status(), list::toString);
    for (String line :
        List.of(
            "broken.jar: is no jar that can be read",
            "foreign.jar: was built for Outboard 9.9, not ",
            "hollow.jar: has a LibraryService that cannot be used",
            "lacking.jar: needs libnowhere.so.7, which this machine lacks",
            ZLIB + ": has the name zlib, as zlib-again.jar has")) {
      assertTrue(list.output().contains(line), () -> line + " is not in " + list);
    }
    Program.Ended ended = gzip();
    assertEquals(GZIP, ended.output(), ended::toString);
    assertTrue(ended.errors().contains("lacking.jar needs libnowhere.so.7"), ended::toString);
  }

  @Test
  void theListHasEverything() throws Exception {
    String list = outboard.run("plugins").output();
    for (String line :
        List.of(
            "library +cuda .*",
            "library +zlib +1\\.0 +[0-9a-f]{12} +.*/zlib\\.jar",
            "communicator +unix .*",
            "communicator +slow +1\\.0 +[0-9a-f]{12} +.*/slow\\.jar",
            "devices +software .*",
            "frontend +outboard-preload-zlib\\.so +[0-9a-f]{12} .*")) {
      assertTrue(list.lines().anyMatch(row -> row.matches(line)), () -> line + " in " + list);
    }
  }

  @Test
  void aLibraryTakesFewLines() throws IOException {
    long lines = 0;
    Path folder = Home.PATH.resolve("examples/library");
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file :
          files
              .filter(Files::isRegularFile)
              .filter(f -> !f.toString().contains("program"))
              .toList()) {
        lines += Files.readAllLines(file).size();
      }
    }
    assertTrue(lines > 50 && lines < MOST_LINES, lines + " lines");
  }

  private Program.Ended run() throws IOException, InterruptedException {
    return outboard.run("run", "--device=software", "--", program.toString(), file());
  }

  private Program.Ended gzip() throws IOException, InterruptedException {
    return outboard.run("run", "--device=software", "--report", program.toString(), file());
  }

  private String file() {
    return home.resolve("file.gz").toString();
  }

  private static String firstLine(Process backend) throws IOException {
    return new BufferedReader(new InputStreamReader(backend.getInputStream(), UTF_8)).readLine();
  }

  private static void manifest(Path jar, String line) throws IOException, InterruptedException {
    Path file = Files.writeString(shared.resolve("manifest"), line + "\n");
    jar("--update", "--file", jar.toString(), "--manifest", file.toString());
  }

  private static void remove(Path jar, String entry) throws IOException, InterruptedException {
    Path folder = Files.createDirectories(shared.resolve("taken"));
    Program.run(
        List.of(
            "sh",
            "-c",
            "cd '%1$s' && '%2$s/bin/jar' --extract --file '%3$s' && rm '%4$s' && '%2$s/bin/jar' --create --file '%3$s' --manifest META-INF/MANIFEST.MF ."
                .formatted(folder, System.getProperty("java.home"), jar, entry)),
        Map.of());
  }

  private static void jar(String... arguments) throws IOException, InterruptedException {
    Stream<String> tool = Stream.of(Path.of(System.getProperty("java.home"), "bin/jar").toString());
    Program.Ended ended = Program.run(Stream.concat(tool, Stream.of(arguments)).toList(), Map.of());
    assertEquals(0, ended.status(), ended::toString);
  }
}
