// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which JDK the launcher of the sources takes. */
final class FindJdkTest {
  private static final String USUAL = "/usr/bin:/bin";

  @TempDir private Path folder;

  private Path jdk(String name, String version) throws IOException {
    Path jdk = folder.resolve(name);
    Files.createDirectories(jdk.resolve("bin"));
    for (String program : List.of("java", "javac")) {
      Path file = Files.writeString(jdk.resolve("bin").resolve(program), "#!/bin/sh\n");
      assertTrue(file.toFile().setExecutable(true));
    }
    Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"%s\"\n".formatted(version));
    return jdk;
  }

  private String found(String path, String javaHome) throws Exception {
    Program.Ended ended =
        Program.run(
            List.of(
                "env",
                "-u",
                "HOME",
                "sh",
                "-euc",
                ". \"$1\"; outboard_find_jdk; echo \"$JAVA_HOME\"",
                "sh",
                Home.PATH.resolve("find-jdk.sh").toString()),
            Map.of("PATH", path, "JAVA_HOME", javaHome));
    return ended.output().strip();
  }

  @Test
  void theOneThatIsFirstOnThePathIsTaken() throws Exception {
    Path jdk = jdk("a jdk", "25.0.1");
    assertEquals(jdk.toString(), found(jdk.resolve("bin") + ":" + USUAL, ""));
  }

  @Test
  void linksToItAreFollowed() throws Exception {
    Path jdk = jdk("linked", "26");
    Path bin = Files.createDirectory(folder.resolve("bin"));
    Path alternative = bin.resolve("alternative");
    Files.createSymbolicLink(alternative, jdk.resolve("bin/javac"));
    Files.createSymbolicLink(bin.resolve("javac"), alternative);
    assertEquals(jdk.toString(), found(bin + ":" + USUAL, ""));
  }

  @Test
  void theVariableIsAskedBeforeThePath() throws Exception {
    Path variable = jdk("variable", "25");
    Path path = jdk("path", "25");
    assertEquals(
        variable.toString(), found(path.resolve("bin") + ":" + USUAL, variable.toString()));
  }

  @Test
  void anOldOneIsNotTaken() throws Exception {
    Path old = jdk("old", "17.0.9");
    assertNotEquals(old.toString(), found(old.resolve("bin") + ":" + USUAL, old.toString()));
  }
}
