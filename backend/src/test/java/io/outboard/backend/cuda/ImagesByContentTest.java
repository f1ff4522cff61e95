// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.cuda;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.devices.SilentConsole;
import io.outboard.backend.system.NativeBuffer;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaDriverTable;
import io.outboard.cuda.CudaResult;
import io.outboard.softgpu.SoftGpu;
import io.outboard.wire.Native;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImagesByContentTest {
  private static final String TEXT =
      ".version 6.3\n.target sm_75\n.address_size 64\n.visible .entry nothing()\n{\nret;\n}\n\0";
  private static final int DIGEST = 1024;
  private static final int IMAGE = 2048;
  private static final int NAME = 3072;
  private static final int PTX = 1;

  @TempDir private Path home;
  private final NativeBuffer buffer = new NativeBuffer(4096);
  private final long out = buffer.address();
  private final long digest = out + DIGEST;
  private final long image = out + IMAGE;
  private ImageFolder folder;
  private CudaDriver driver;

  @BeforeEach
  void open() throws IOException {
    folder = new ImageFolder(home.resolve("images"), 1 << 20, false);
    folder.prepare();
    driver =
        new ImagesByContent(SoftGpu.builder(new SilentConsole()).build(), new ImageFiles(folder));
    succeeds(driver.cuInit(0));
    succeeds(driver.cuDevicePrimaryCtxRetain(out, 0));
    succeeds(driver.cuCtxSetCurrent(Native.getLong(out)));
  }

  @AfterEach
  void free() {
    buffer.close();
  }

  private static void succeeds(int result) {
    assertEquals(CudaResult.SUCCESS, result);
  }

  /** Puts an image and its digest where calls take them from; returns its length. */
  private long put(String text) {
    byte[] bytes = text.getBytes(US_ASCII);
    buffer.put(IMAGE, bytes, 0, bytes.length);
    byte[] name = ImageFiles.digestOf(image, bytes.length).toArray();
    buffer.put(DIGEST, name, 0, name.length);
    return bytes.length;
  }

  private void hasFunction(long module) {
    byte[] name = "nothing\0".getBytes(US_ASCII);
    buffer.put(NAME, name, 0, name.length);
    succeeds(driver.cuModuleGetFunction(out + 8, module, out + NAME));
  }

  private long kept() throws IOException {
    try (Stream<Path> files = Files.list(folder.path())) {
      return files.count();
    }
  }

  @Test
  void aModuleIsLoadedAgainWithoutItsBytes() {
    long bytes = put(TEXT);
    assertEquals(CudaResult.FILE_NOT_FOUND, driver.outboardModuleContent(out, digest, 0, bytes));
    succeeds(driver.outboardModuleContent(out, digest, image, bytes));
    hasFunction(Native.getLong(out));
    Native.fill(image, bytes, (byte) 0);
    succeeds(driver.outboardModuleContent(out, digest, 0, bytes));
    hasFunction(Native.getLong(out));
  }

  @Test
  void librariesAndInputsOfLinksFindIt() {
    long bytes = put(TEXT);
    succeeds(driver.outboardLibraryContent(out, digest, image, bytes));
    succeeds(driver.outboardLibraryContent(out, digest, 0, bytes));
    succeeds(driver.outboardLinkCreate(out));
    long link = Native.getLong(out);
    succeeds(driver.outboardLinkContent(link, PTX, digest, 0, bytes, 0));
    succeeds(driver.outboardLinkComplete(link, out));
    assertTrue(Native.getLong(out) > 0);
  }

  @Test
  void whatCannotBeLoadedIsNotKept() throws IOException {
    long bytes = put("nonsense\0");
    assertEquals(CudaResult.INVALID_IMAGE, driver.outboardModuleContent(out, digest, image, bytes));
    assertEquals(0, kept());
    bytes = put(TEXT);
    assertEquals(
        CudaResult.INVALID_HANDLE, driver.outboardLinkContent(77, PTX, digest, image, bytes, 0));
    assertEquals(0, kept());
  }

  @Test
  void aCallMayBeWrong() {
    long bytes = put(TEXT);
    assertEquals(CudaResult.INVALID_VALUE, driver.outboardModuleContent(out, 0, image, bytes));
    assertEquals(CudaResult.INVALID_VALUE, driver.outboardModuleContent(out, digest, image, 0));
    assertEquals(CudaResult.INVALID_VALUE, driver.outboardModuleContent(out, digest, 0, -1));
    assertEquals(
        CudaResult.FILE_NOT_FOUND, driver.outboardModuleContent(out, digest, 0, Long.MAX_VALUE));
    assertEquals(CudaResult.INVALID_VALUE, driver.outboardModuleContent(0, digest, image, bytes));
  }

  @Test
  void whoKeepsNothingDoesNotOfferIt() {
    BitSet all = new BitSet();
    all.set(1, CudaDriverTable.LEVEL + 1);
    BitSet left = ImagesByContent.without(all);
    assertEquals(all.cardinality() - 3, left.cardinality());
    left.stream().forEach(number -> assertFalse(isByContent(number)));
  }

  private static boolean isByContent(int number) {
    String name = CudaDriverTable.name(number);
    return name != null && name.endsWith("Content");
  }
}
