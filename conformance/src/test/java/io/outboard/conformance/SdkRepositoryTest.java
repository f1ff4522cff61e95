// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The Maven repository in the SDK has the client for the JVM, whole, and its example runs. */
final class SdkRepositoryTest {
  private static final String VERSION = "1.2-SNAPSHOT";

  /** So that a build takes the files of a newer SDK, each snapshot's have names of their own. */
  private static final Pattern UNIQUE = Pattern.compile("<timestamp>(\\d{8}\\.\\d{6})</timestamp>");

  private static final Duration BUILDING = Duration.ofMinutes(5);
  private static final String EXAMPLE = "examples/java";
  private static final String PASSED = "vectorAdd: PASSED on Outboard Software GPU: 50000 elements";
  private static final Pattern DEPENDENCY =
      Pattern.compile(
          "<dependency>\\s*<groupId>(\\S+)</groupId>\\s*<artifactId>(\\S+)</artifactId>"
              + "\\s*<version>(\\S+)</version>\\s*</dependency>");

  private static Certificates certificates;

  @RegisterExtension static final Backend BACKEND = backend();

  @TempDir private static Path temporary;
  private static Path sdk;
  private static Path repository;

  private static Backend backend() {
    try {
      Path folder = Folders.make("outboard-certificates");
      certificates = new Certificates(folder);
      Path chain = certificates.write("server", certificates.server("localhost", "127.0.0.1"));
      return new Backend("software", "--listen=tls://127.0.0.1:0", "--tls-cert=" + chain)
          .withFolder(folder);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @BeforeAll
  static void unpack() throws IOException, InterruptedException {
    sdk = Tarballs.unpack(Tarballs.sdk(VERSION), temporary.resolve("a folder"));
    repository = sdk.resolve("repository");
  }

  private static List<Path> files(String ending) throws IOException {
    try (Stream<Path> files = Files.walk(repository)) {
      return files.filter(file -> file.toString().endsWith(ending)).toList();
    }
  }

  private static Path artifact(String group, String name, String version, String ending)
      throws IOException {
    Path folder = repository.resolve(group.replace('.', '/')).resolve(name).resolve(version);
    Matcher made = UNIQUE.matcher(Files.readString(folder.resolve("maven-metadata.xml")));
    assertTrue(made.find(), name);
    return folder.resolve(name + "-1.2-" + made.group(1) + "-1" + ending);
  }

  @Test
  void whatAPomNamesIsThereToo() throws IOException {
    assertTrue(Files.exists(artifact("io.outboard", "outboard-client", VERSION, "-javadoc.jar")));
    int dependencies = 0;
    for (Path pom : files(".pom")) {
      String text = Files.readString(pom);
      Matcher named = DEPENDENCY.matcher(text);
      while (named.find()) {
        dependencies++;
        for (String ending : List.of(".pom", ".jar", "-sources.jar")) {
          Path file = artifact(named.group(1), named.group(2), named.group(3), ending);
          assertTrue(Files.exists(file), () -> pom + " wants " + file);
        }
      }
    }
    assertTrue(dependencies >= 4, dependencies + " dependencies");
  }

  @Test
  void aPomNeedsNoOtherFileToBeUnderstood() throws IOException {
    for (Path pom : files(".pom")) {
      String text = Files.readString(pom);
      assertFalse(text.contains("<parent>") || text.contains("${"), text);
      assertTrue(text.contains("<name>Apache-2.0</name>"), text);
      assertTrue(text.matches("(?s).*<name>Outboard: .+?</name>.*<description>.+</desc.*"), text);
    }
  }

  @Test
  void checksumsAreRight() throws Exception {
    List<Path> sums = files(".sha1");
    int others = files(".pom").size() + files(".jar").size() + files(".xml").size();
    assertEquals(others, sums.size());
    for (Path sum : sums) {
      String file = sum.toString().substring(0, sum.toString().length() - ".sha1".length());
      byte[] digest = MessageDigest.getInstance("SHA-1").digest(Files.readAllBytes(Path.of(file)));
      assertEquals(HexFormat.of().formatHex(digest), Files.readString(sum).strip(), file);
    }
  }

  @Test
  void theExampleRunsOverTlsWithTheJarsOfTheRepositoryAlone() throws Exception {
    String jars =
        files("-1.jar").stream()
            .map(Path::toString)
            .collect(Collectors.joining(File.pathSeparator));
    String uri = BACKEND.further();
    Program.Ended ended =
        inSdk(
            uri,
            Home.java(),
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            jars,
            EXAMPLE + "/VectorAdd.java",
            uri);
    assertEquals(new Program.Ended(0, PASSED + "\n", ""), ended);
  }

  @Test
  @Tag("long")
  void theExamplesAreBuiltByMavenAndOneRuns() throws Exception {
    assumeTrue(Program.isHere("mvn"), "no mvn: install maven");
    Path local = Files.createTempDirectory("outboard-repository");
    try {
      fill(local);
      build(EXAMPLE, local);
      build("examples/android", local);
    } finally {
      // The targets of its links stay.
      Program.run(List.of("rm", "-r", local.toString()), Map.of());
    }
    String uri = "unix:" + BACKEND.socket();
    Program.Ended ran = inSdk(uri, Home.java(), "-jar", EXAMPLE + "/target/vector-add.jar", uri);
    assertEquals(new Program.Ended(0, PASSED + "\n", ""), ran);
  }

  private static void build(String example, Path local) throws IOException, InterruptedException {
    Program.Ended built =
        inSdk(
            "",
            "mvn",
            "--batch-mode",
            "--quiet",
            "--offline",
            // Files of this machine are no network.
            "-Daether.offline.protocols=file",
            "-Dmaven.repo.local=" + local,
            "--file=" + example + "/pom.xml",
            "package");
    assertEquals(0, built.status(), built::toString);
  }

  /**
   * A local repository gets what this build has fetched, which is to suffice for the example's, and
   * nothing of Outboard's.
   */
  private static void fill(Path local) throws IOException {
    Path fetched = Path.of(System.getProperty("user.home"), ".m2/repository");
    assumeTrue(Files.isDirectory(fetched), "this machine keeps Maven's artifacts elsewhere");
    linkAll(fetched, local, "io");
    linkAll(fetched.resolve("io"), Files.createDirectory(local.resolve("io")), "outboard");
  }

  private static void linkAll(Path from, Path to, String but) throws IOException {
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.filter(each -> !each.endsWith(but)).toList()) {
        Files.createSymbolicLink(to.resolve(file.getFileName()), file);
      }
    }
  }

  private static Program.Ended inSdk(String uri, String... words)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("env", "-C", sdk.toString()));
    command.addAll(List.of(words));
    Map<String, String> variables = new HashMap<>(BACKEND.variables(uri));
    variables.put("LD_LIBRARY_PATH", "");
    variables.put("OUTBOARD_CA", certificates.ca().toString());
    variables.put("JAVA_HOME", System.getProperty("java.home"));
    return Program.run(command, variables, BUILDING);
  }
}
