// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.image;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.cuda.CudaResult;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ImagesTest {
  private static final int ARCHITECTURE = 90;
  private static final String TEXT_75 = ".version 8.0\n.target sm_75\n";
  private static final String TEXT_90 = ".version 8.0\n.target sm_90\n";

  @Test
  void takesText() throws ImageException {
    assertEquals(TEXT_75 + "\n", ptx(Containers.bytes(TEXT_75)));
  }

  @Test
  void takesTheHighestArchitectureThatTheDeviceHas() throws ImageException {
    byte[] image =
        Containers.container(
            Containers.binary(90),
            Containers.ptx(75, TEXT_75),
            Containers.ptx(90, TEXT_90),
            Containers.ptx(100, "no"));
    assertEquals(TEXT_90 + "\n", ptx(image));
  }

  @Test
  void leavesArchitectureSpecificTextAlone() throws ImageException {
    byte[] special =
        Containers.entry(1, 90, Containers.ARCHITECTURE_SPECIFIC, Containers.bytes(TEXT_90), 0);
    assertEquals(TEXT_75 + "\n", ptx(Containers.container(special, Containers.ptx(75, TEXT_75))));
  }

  @Test
  void decompressesLz4() throws ImageException {
    byte[] text = Containers.bytes(TEXT_75.repeat(100));
    byte[] entry =
        Containers.entry(1, 75, FatEntry.FLAG_LZ4, Lz4Writer.compress(text), text.length);
    assertEquals(TEXT_75.repeat(100) + "\n", ptx(Containers.container(entry)));
  }

  @Test
  void decompressesZstd() throws Exception {
    byte[] text = resource("content.txt");
    byte[] entry =
        Containers.entry(1, 75, FatEntry.FLAG_ZSTD, resource("default.zst"), text.length);
    assertEquals(
        new String(text, StandardCharsets.UTF_8),
        ptx(Containers.container(Containers.binary(80), entry)));
  }

  @Test
  void skipsEmptyContainers() throws ImageException {
    ByteArrayOutputStream image = new ByteArrayOutputStream();
    image.writeBytes(Containers.container());
    image.writeBytes(Containers.container(Containers.ptx(75, TEXT_75)));
    assertEquals(TEXT_75 + "\n", ptx(image.toByteArray()));
  }

  @Test
  void saysWhatItFoundWhereThereIsNoPtx() {
    byte[] image = Containers.container(Containers.binary(80), Containers.ptx(100, TEXT_75));
    ImageException none = assertThrows(ImageException.class, () -> ptx(image));
    assertEquals(CudaResult.NO_BINARY_FOR_GPU, none.result());
    assertTrue(none.getMessage().contains("SASS sm_80, PTX compute_100"), none.getMessage());
  }

  @Test
  void refusesDeviceBinaries() {
    byte[] image = {0x7f, 'E', 'L', 'F', 2, 1, 1, 0};
    ImageException none = assertThrows(ImageException.class, () -> ptx(image));
    assertEquals(CudaResult.NO_BINARY_FOR_GPU, none.result());
  }

  @Test
  void refusesOtherBytes() {
    byte[] image = "int main() { return 0; }".getBytes(StandardCharsets.UTF_8);
    ImageException wrong = assertThrows(ImageException.class, () -> ptx(image));
    assertEquals(CudaResult.INVALID_IMAGE, wrong.result());
  }

  @Test
  void survivesBrokenContainers() {
    byte[] image = Containers.container(Containers.binary(80), Containers.ptx(75, TEXT_75));
    Random random = new Random(5);
    int broken = 0;
    for (int round = 0; round < 2000; round++) {
      byte[] changed = Arrays.copyOf(image, 4 + random.nextInt(image.length - 4));
      changed[random.nextInt(changed.length)] ^= (byte) 0x80;
      try {
        ptx(changed);
      } catch (ImageException expected) {
        broken++;
      }
    }
    assertTrue(broken > 100);
  }

  private static String ptx(byte[] image) throws ImageException {
    return Images.ptx(MemorySegment.ofArray(image), ARCHITECTURE);
  }

  private static byte[] resource(String name) throws IOException {
    try (InputStream in = ImagesTest.class.getResourceAsStream("/zstd/" + name)) {
      return in.readAllBytes();
    }
  }
}
