// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Python wheel is what installers want one to be, and has the client. */
final class WheelTest {
  private static final String INFORMATION = "outboard-1.2.dev0.dist-info/";
  private static final Set<String> FORWARDERS =
      Set.of("libcuda.so", "libnvidia-ml.so", "libOpenCL.so");
  private static final Set<String> NUMBERED =
      Set.of("libcuda.so.1", "libnvidia-ml.so.1", "libOpenCL.so.1", "liboutboard.so");

  @TempDir private static Path temporary;
  private static Path wheel;
  private static Path unpacked;

  @BeforeAll
  static void make() throws IOException, InterruptedException {
    wheel = Tarballs.wheel("1.2-SNAPSHOT", temporary.resolve("a folder"));
    unpacked = Wheels.unpack(wheel, temporary.resolve("unpacked"));
  }

  private static String read(String file) throws IOException {
    return Files.readString(unpacked.resolve(INFORMATION + file));
  }

  private static Set<String> files(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(file -> !Files.isDirectory(file))
          .map(file -> folder.relativize(file).toString())
          .collect(Collectors.toSet());
    }
  }

  @Test
  void itsNameIsWhatItSaysOfItself() throws IOException {
    String tag = "py3-none-manylinux_2_17_x86_64".replace("x86_64", processor());
    assertEquals("outboard-1.2.dev0-" + tag + ".whl", wheel.getFileName().toString());
    assertTrue(read("WHEEL").contains("\nRoot-Is-Purelib: false\nTag: " + tag + "\n"));
    assertTrue(
        read("METADATA").startsWith("Metadata-Version: 2.1\nName: outboard\nVersion: 1.2.dev0\n"));
  }

  private static String processor() {
    return System.getProperty("os.arch").replace("amd64", "x86_64");
  }

  @Test
  void itsRecordHasTheHashOfEachFile() throws Exception {
    List<String> record = read("RECORD").lines().toList();
    for (String line : record) {
      String[] parts = line.split(",", -1);
      if (parts[0].equals(INFORMATION + "RECORD")) {
        assertEquals(",,", line.substring(parts[0].length()));
        continue;
      }
      byte[] bytes = Files.readAllBytes(unpacked.resolve(parts[0]));
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(bytes);
      assertEquals(
          "sha256=" + Base64.getUrlEncoder().withoutPadding().encodeToString(hash), parts[1]);
      assertEquals(bytes.length, Integer.parseInt(parts[2]));
    }
    Set<String> named =
        record.stream().map(line -> line.split(",", -1)[0]).collect(Collectors.toSet());
    assertEquals(files(unpacked), named);
    assertEquals(named.size(), record.size());
  }

  @Test
  void theSameFilesGiveTheSameWheel() throws IOException, InterruptedException {
    Path again = Tarballs.wheel("1.2-SNAPSHOT", temporary.resolve("again"));
    assertArrayEquals(Files.readAllBytes(wheel), Files.readAllBytes(again));
  }

  @Test
  void itHasTheFilesOfTheTarballWithTheirModes() throws IOException, InterruptedException {
    Path client = Tarballs.unpack(Tarballs.client(), temporary.resolve("client"));
    Path packed = unpacked.resolve("outboard/client");
    assertEquals(files(client), files(packed));
    for (String file : files(client)) {
      assertEquals(mode(client.resolve(file)), mode(packed.resolve(file)), file);
      if (!Files.isSymbolicLink(client.resolve(file))) {
        assertEquals(-1, Files.mismatch(client.resolve(file), packed.resolve(file)), file);
      }
    }
  }

  private static String mode(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  @Test
  void itNeedsWhatItsTagAllows() throws IOException, InterruptedException {
    Binaries binaries = new Binaries(unpacked, 11);
    binaries.needNothingNewerThanGlibc217(FORWARDERS);
    binaries.needNoOtherLibrary(NUMBERED);
  }

  @Test
  void aVersionThatPythonDoesNotHaveIsRefused() {
    AssertionError refused =
        assertThrows(AssertionError.class, () -> Tarballs.wheel("1.2-beta", temporary));
    assertTrue(refused.getMessage().contains("Python has no version '1.2-beta'"));
  }

  @Test
  void itsPackageIsTheClientsCommands() throws IOException, InterruptedException {
    assumeTrue(Program.isHere("python3"), "no python3");
    for (List<String> words : List.of(List.of("--help"), List.of("run", "--help"))) {
      Program.Ended help = python(words);
      assertEquals(0, help.status(), help::toString);
      assertTrue(help.output().startsWith("usage: outboard-run"), help::toString);
    }
    Program.Ended connect = python(List.of("connect"));
    assertTrue(
        connect.status() == 2 && connect.errors().contains("which backend?"), connect::toString);
  }

  private static Program.Ended python(List<String> words) throws IOException, InterruptedException {
    List<String> command =
        Stream.concat(Stream.of("python3", "-B", "-m", "outboard"), words.stream()).toList();
    return Program.run(command, Map.of("PYTHONPATH", unpacked.toString()));
  }
}
