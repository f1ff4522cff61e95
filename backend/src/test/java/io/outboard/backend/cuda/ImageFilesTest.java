// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.cuda;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.system.NativeBuffer;
import io.outboard.wire.Bytes;
import io.outboard.wire.Native;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImageFilesTest {
  private static final int MOST = 40_000;
  private static final int IMAGE = 8_000;
  private static final int LARGEST = MOST / 4;

  @TempDir private Path home;
  private ImageFolder folder;
  private ImageFiles files;

  @BeforeEach
  void prepare() throws IOException {
    folder = new ImageFolder(home.resolve("outboard/images"), MOST, false);
    folder.prepare();
    files = new ImageFiles(folder);
  }

  @AfterEach
  void leavesNothingUnfinished() throws IOException {
    if (Files.isDirectory(folder.path())) {
      assertTrue(names().stream().noneMatch(name -> name.startsWith("new-")), "left over");
    }
  }

  /** Bytes of a seed's own, whose digest the test computes itself. */
  private record Image(byte[] bytes, Bytes digest) {
    static Image of(int seed, int length) {
      byte[] bytes = new byte[length];
      new Random(seed).nextBytes(bytes);
      try (NativeBuffer buffer = new NativeBuffer(length)) {
        buffer.put(0, bytes, 0, length);
        return new Image(bytes, ImageFiles.digestOf(buffer.address(), length));
      }
    }
  }

  private static void keep(ImageFiles in, Image image) {
    keepAs(in, image.digest, image.bytes);
  }

  private static void keepAs(ImageFiles in, Bytes digest, byte[] bytes) {
    try (NativeBuffer buffer = new NativeBuffer(bytes.length)) {
      buffer.put(0, bytes, 0, bytes.length);
      in.keep(digest, buffer.address(), bytes.length);
    }
  }

  /** Whether it is there; if so it is right. */
  private static boolean has(ImageFiles in, Image image) {
    try (NativeBuffer found = in.find(image.digest, image.bytes.length)) {
      if (found == null) {
        return false;
      }
      byte[] read =
          Native.MEMORY.asSlice(found.address(), image.bytes.length).toArray(ValueLayout.JAVA_BYTE);
      assertArrayEquals(image.bytes, read);
      assertEquals(0, Native.getLong(found.address() + image.bytes.length));
      return true;
    }
  }

  private Path file(Image image) {
    return folder.path().resolve(image.digest.hex());
  }

  private List<String> names() throws IOException {
    try (Stream<Path> all = Files.list(folder.path())) {
      return all.map(file -> file.getFileName().toString()).toList();
    }
  }

  private long bytesKept() throws IOException {
    long bytes = 0;
    for (String name : names()) {
      bytes += Files.size(folder.path().resolve(name));
    }
    return bytes;
  }

  private void usedBefore(Image image, int minutes) throws IOException {
    Instant then = Instant.now().minus(Duration.ofMinutes(minutes));
    Files.setLastModifiedTime(file(image), FileTime.from(then));
  }

  @Test
  void theDigestIsThatOfTheStandard() {
    try (NativeBuffer buffer = new NativeBuffer(8)) {
      buffer.put(0, new byte[] {'a', 'b', 'c'}, 0, 3);
      assertEquals(
          "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
          ImageFiles.digestOf(buffer.address(), 3).hex());
    }
  }

  @Test
  void whatIsKeptIsFoundByItsDigestAndLength() throws IOException {
    Image image = Image.of(1, IMAGE);
    assertFalse(has(files, image));
    keep(files, image);
    assertTrue(has(new ImageFiles(folder), image));
    assertEquals(List.of(image.digest.hex()), names());
    assertEquals("rw-------", permissions(file(image)));
    assertNull(files.find(image.digest, IMAGE - 1));
    assertTrue(has(files, image), "who asks for a wrong length takes it from nobody");
  }

  private static String permissions(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  @Test
  void aDamagedFileIsDroppedAndReplaced() throws IOException {
    Image image = Image.of(2, IMAGE);
    keep(files, image);
    for (byte[] damaged : damages(image.bytes)) {
      Files.write(file(image), damaged);
      assertFalse(has(files, image));
      assertFalse(Files.exists(file(image)));
      keep(files, image);
      assertTrue(has(files, image));
    }
  }

  private static List<byte[]> damages(byte[] bytes) {
    byte[] flipped = bytes.clone();
    flipped[IMAGE / 2] ^= 1;
    byte[] shorter = new byte[IMAGE - 1];
    System.arraycopy(bytes, 0, shorter, 0, shorter.length);
    byte[] longer = new byte[IMAGE + 1];
    System.arraycopy(bytes, 0, longer, 0, IMAGE);
    return List.of(flipped, shorter, longer, new byte[0], new byte[2 * LARGEST]);
  }

  @Test
  void whatIsPlantedUnderAnothersDigestIsNotUsed() {
    Image mine = Image.of(3, IMAGE);
    keepAs(files, mine.digest, Image.of(4, IMAGE).bytes);
    assertFalse(has(files, mine));
    keep(files, mine);
    assertTrue(has(files, mine));
  }

  @Test
  void whatIsNoFileIsNotFollowed() throws Exception {
    Image image = Image.of(5, IMAGE);
    Path elsewhere = Files.write(home.resolve("elsewhere"), image.bytes);
    Files.createSymbolicLink(file(image), elsewhere);
    assertFalse(has(files, image));
    Files.delete(file(image));
    // Nobody writes to it.
    assertEquals(0, new ProcessBuilder("mkfifo", file(image).toString()).start().waitFor());
    assertFalse(has(files, image));
    Files.deleteIfExists(file(image));
    Files.createDirectory(file(image));
    assertFalse(has(files, image));
    assertTrue(Files.exists(elsewhere));
  }

  @Test
  void whatWasUsedLastStays() throws IOException {
    List<Image> images = Stream.of(10, 11, 12, 13, 14).map(seed -> Image.of(seed, IMAGE)).toList();
    images.forEach(image -> keep(files, image));
    for (int i = 0; i < images.size(); i++) {
      usedBefore(images.get(i), 10 - i);
    }
    assertEquals(MOST, bytesKept());
    assertTrue(has(files, images.get(0)), "which is a use");
    Image sixth = Image.of(15, IMAGE);
    keep(files, sixth);
    assertEquals(MOST, bytesKept());
    assertTrue(has(files, sixth) && has(files, images.get(0)) && has(files, images.get(2)));
    assertFalse(has(files, images.get(1)));
    keep(files, Image.of(16, 1));
    assertFalse(has(files, images.get(3)), "one byte too much");
  }

  @Test
  void whatIsTooLargeIsNotKept() throws IOException {
    keep(files, Image.of(20, LARGEST + 1));
    assertEquals(List.of(), names());
    keep(files, Image.of(21, LARGEST));
    assertEquals(1, names().size());
  }

  @Test
  void filesOfOthersStayAndThoseThatNobodyFinishedGo() throws IOException {
    Path old = Files.write(folder.path().resolve("new-0123456789abcdef"), new byte[10]);
    Path young = Files.write(folder.path().resolve("new-fedcba9876543210"), new byte[10]);
    Path others = Files.write(folder.path().resolve("README"), new byte[2 * MOST]);
    Instant then = Instant.now().minus(Duration.ofHours(1));
    Files.setLastModifiedTime(old, FileTime.from(then));
    keep(files, Image.of(30, IMAGE));
    assertTrue(Files.exists(others) && Files.exists(young) && !Files.exists(old));
    Files.delete(young);
  }

  @Test
  void whereNothingCanBeWrittenWorkGoesOn() throws IOException {
    Image image = Image.of(40, IMAGE);
    Files.delete(folder.path());
    keep(files, image);
    assertFalse(has(files, image));
    Files.createFile(folder.path());
    ImageFiles others = new ImageFiles(folder);
    keep(others, image);
    assertFalse(has(others, image));
    assertThrows(IOException.class, folder::prepare);
  }

  /** Writers of the same and of other images, and readers, in a folder that is too small. */
  @Test
  void severalProcessesGetInNobodysWay() throws Exception {
    List<Image> images = new ArrayList<>();
    for (int seed = 50; seed < 58; seed++) {
      images.add(Image.of(seed, IMAGE));
    }
    List<Future<Integer>> found = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      for (int i = 0; i < 4; i++) {
        found.add(threads.submit(work(new ImageFiles(folder), images, i)));
      }
    }
    for (Future<Integer> one : found) {
      assertTrue(one.get() > 0, "found nothing");
    }
    keep(files, Image.of(60, IMAGE));
    assertTrue(bytesKept() <= MOST, () -> "too much is kept");
  }

  private static Callable<Integer> work(ImageFiles mine, List<Image> images, int seed) {
    Random random = new Random(seed);
    return () -> {
      int found = 0;
      for (int i = 0; i < 300; i++) {
        Image image = images.get(random.nextInt(images.size()));
        if (has(mine, image)) {
          found++;
        } else {
          keep(mine, image);
        }
      }
      return found;
    };
  }

  @Test
  void theFolderIsItsUsersAlone() throws IOException {
    assertEquals("rwx------", permissions(folder.path()));
    folder.prepare();
    Files.setPosixFilePermissions(folder.path(), PosixFilePermissions.fromString("rwxr-x---"));
    IOException refused = assertThrows(IOException.class, folder::prepare);
    assertTrue(refused.getMessage().endsWith("'chmod 700 " + folder.path() + "' mends that"));
  }

  @Test
  void workersOfSeveralUsersNeitherListNorRemove() throws IOException {
    ImageFolder several = new ImageFolder(home.resolve("several"), MOST, true);
    several.prepare();
    several.prepare();
    assertEquals(01733, (int) Files.getAttribute(several.path(), "unix:mode") & 07777);
    ImageFiles workers = new ImageFiles(several);
    List<Image> images = Stream.of(70, 71, 72, 73, 74, 75).map(s -> Image.of(s, IMAGE)).toList();
    images.forEach(image -> keep(workers, image));
    assertTrue(images.stream().allMatch(image -> has(workers, image)), "a worker removed one");
    Path first = several.file(images.getFirst().digest);
    assertEquals("rw-r--r--", permissions(first));
    Files.setLastModifiedTime(first, FileTime.from(Instant.now().minus(Duration.ofHours(1))));
    several.trim();
    assertEquals(5, images.stream().filter(image -> has(workers, image)).count());
    assertFalse(has(workers, images.getFirst()));
  }

  @Test
  void aWorkerIsToldItsFolder() {
    assertNotNull(folder.workerOptions());
    assertTrue(ImageFolder.ofThisProcess().isEmpty());
    for (String option : folder.workerOptions()) {
      String[] parts = option.substring("-D".length()).split("=", 2);
      System.setProperty(parts[0], parts[1]);
    }
    try {
      assertEquals(folder, ImageFolder.ofThisProcess().orElseThrow());
    } finally {
      for (String option : folder.workerOptions()) {
        System.clearProperty(option.substring("-D".length()).split("=", 2)[0]);
      }
    }
  }
}
