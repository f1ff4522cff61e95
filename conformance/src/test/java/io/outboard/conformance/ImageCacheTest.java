// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An image that one process has sent is not sent by the next one. */
final class ImageCacheTest {
  /** More than a question takes, and less than the smallest image of these tests. */
  private static final long QUESTION = 160;

  private static final int CONTAINER_HEADER = 16;

  @RegisterExtension static final Backend BACKEND = new Backend();

  @RegisterExtension
  static final Backend KEEPING_NONE = new Backend("software", "--image-cache=none");

  /** How often a process made a call, and what it sent. */
  private record Row(int calls, long sent) {
    static Row of(String report, String call) {
      Matcher row = Pattern.compile("(?m)^" + call + " +(\\d+) +\\d+ +(\\d+) ").matcher(report);
      return row.find()
          ? new Row(Integer.parseInt(row.group(1)), Long.parseLong(row.group(2)))
          : new Row(0, 0);
    }

    void isAQuestion() {
      assertEquals(1, calls);
      assertTrue(sent < QUESTION, sent + " bytes");
    }

    void isANoAndTheImage() {
      assertEquals(2, calls);
      assertTrue(sent > 2 * QUESTION, sent + " bytes");
    }
  }

  static List<String> endpoints() {
    return BACKEND.endpoints();
  }

  @BeforeEach
  void forgetImages() throws IOException {
    for (Path image : images()) {
      Files.delete(image);
    }
  }

  private static List<Path> images() throws IOException {
    try (Stream<Path> files = Files.list(BACKEND.images())) {
      return files.toList();
    }
  }

  private static Path onlyImage() throws IOException {
    List<Path> images = images();
    assertEquals(1, images.size(), images::toString);
    return images.getFirst();
  }

  /** The report of a program that succeeds, with images of at least so many bytes asked for. */
  private static String report(Backend backend, String endpoint, String least, String... command)
      throws IOException, InterruptedException {
    Map<String, String> variables = new HashMap<>(backend.variables(endpoint));
    variables.put("OUTBOARD_REPORT", "1");
    if (!least.isEmpty()) {
      variables.put("OUTBOARD_IMAGES", least);
    }
    Program.Ended ended = Program.run(List.of(command), variables);
    assertEquals(0, ended.status(), ended::toString);
    return ended.errors();
  }

  /** A program that loads one small module. */
  private static String steady(String endpoint, String least)
      throws IOException, InterruptedException {
    return report(BACKEND, endpoint, least, Home.PROGRAMS.resolve("steady").toString(), "1");
  }

  private static Row modules(String endpoint) throws IOException, InterruptedException {
    return Row.of(steady(endpoint, "1"), "outboardModuleContent");
  }

  @ParameterizedTest
  @MethodSource("endpoints")
  void theSecondProcessSendsADigest(String endpoint) throws IOException, InterruptedException {
    modules(endpoint).isANoAndTheImage();
    modules(endpoint).isAQuestion();
    assertEquals("rwx------", permissions(BACKEND.images()));
    assertEquals("rw-------", permissions(onlyImage()));
  }

  private static String permissions(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  @ParameterizedTest
  @MethodSource("endpoints")
  void aSmallImageIsSentAtOnce(String endpoint) throws IOException, InterruptedException {
    String report = steady(endpoint, "");
    assertEquals(1, Row.of(report, "cuModuleLoadData").calls, report);
    assertEquals(0, Row.of(report, "outboardModuleContent").calls, report);
    assertEquals(List.of(), images());
  }

  /** Of a library of the runtime's, too; without what the device cannot use. */
  @ParameterizedTest
  @MethodSource("endpoints")
  void aLibraryIsSentOnceAndOnlyWhatFits(String endpoint) throws IOException, InterruptedException {
    String program = Home.EXAMPLES.resolve("runtime-static/vectorAdd").toString();
    String first = report(BACKEND, endpoint, "1", program);
    Row.of(first, "outboardLibraryContent").isANoAndTheImage();
    String second = report(BACKEND, endpoint, "1", program);
    Row.of(second, "outboardLibraryContent").isAQuestion();
    ByteBuffer kept =
        ByteBuffer.wrap(Files.readAllBytes(onlyImage())).order(ByteOrder.LITTLE_ENDIAN);
    assertEquals(0xba55ed50, kept.getInt(0));
    assertEquals(kept.capacity() - CONTAINER_HEADER, kept.getLong(8));
    assertEquals(1, kept.getShort(CONTAINER_HEADER), "PTX");
    long entry = kept.getInt(CONTAINER_HEADER + 4) + kept.getLong(CONTAINER_HEADER + 8);
    assertEquals(kept.capacity() - CONTAINER_HEADER, entry, "and nothing else");
  }

  @Test
  void aDamagedFileIsNoticed() throws IOException, InterruptedException {
    String endpoint = BACKEND.tcp();
    modules(endpoint).isANoAndTheImage();
    byte[] image = Files.readAllBytes(onlyImage());
    byte[] damaged = image.clone();
    damaged[damaged.length / 2] ^= 4;
    Files.write(onlyImage(), damaged);
    modules(endpoint).isANoAndTheImage();
    assertArrayEquals(image, Files.readAllBytes(onlyImage()));
    modules(endpoint).isAQuestion();
    assertTrue(BACKEND.log().contains(onlyImage() + " is damaged"));
  }

  @Test
  void withoutAFolderImagesAreSent() throws IOException, InterruptedException {
    Files.delete(BACKEND.images());
    Files.createFile(BACKEND.images());
    try {
      modules(BACKEND.tcp()).isANoAndTheImage();
      modules(BACKEND.tcp()).isANoAndTheImage();
      assertTrue(BACKEND.log().contains("images of modules are not kept"));
    } finally {
      Files.delete(BACKEND.images());
      Files.createDirectory(BACKEND.images());
      Files.setPosixFilePermissions(BACKEND.images(), PosixFilePermissions.fromString("rwx------"));
    }
  }

  @Test
  void onAFullDiskImagesAreSent() throws IOException, InterruptedException {
    String folder = BACKEND.images().toString();
    assumeTrue(succeeds("mount", "-t", "tmpfs", "-o", "size=4k", "none", folder), "needs root");
    try {
      Files.write(BACKEND.images().resolve("full"), new byte[4096]);
      modules(BACKEND.tcp()).isANoAndTheImage();
      modules(BACKEND.tcp()).isANoAndTheImage();
      assertEquals("full", onlyImage().getFileName().toString());
    } finally {
      assertTrue(succeeds("umount", folder));
    }
  }

  private static boolean succeeds(String... command) throws IOException, InterruptedException {
    return new ProcessBuilder(command).redirectErrorStream(true).start().waitFor() == 0;
  }

  @Test
  void aBackendThatKeepsNothingIsNotAsked() throws IOException, InterruptedException {
    String steady = Home.PROGRAMS.resolve("steady").toString();
    for (String endpoint : KEEPING_NONE.endpoints()) {
      String report = report(KEEPING_NONE, endpoint, "1", steady, "1");
      assertEquals(1, Row.of(report, "cuModuleLoadData").calls, report);
      assertEquals(0, Row.of(report, "outboardModuleContent").calls, report);
    }
    assertFalse(Files.exists(KEEPING_NONE.images()));
  }
}
