// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.image;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

final class ImageMemoryTest {
  private static final String PTX = ".version 7.0\n.target sm_52\n.global .b8 a[5000];\n";

  private static OptionalLong of(byte[] image, boolean decompress) {
    return ImageMemory.of(MemorySegment.ofArray(image), decompress);
  }

  /** An ELF file with one section: a head, the name and its table. */
  private static byte[] binary(String name, long flags, long size) {
    byte[] text = ("\0" + name + "\0").getBytes(StandardCharsets.UTF_8);
    ByteBuffer file = ByteBuffer.allocate(64 + 3 * 64 + text.length).order(ByteOrder.LITTLE_ENDIAN);
    file.putInt(0, Images.ELF_MAGIC).putLong(40, 64);
    file.putShort(58, (short) 64).putShort(60, (short) 3).putShort(62, (short) 1);
    file.putLong(128 + 24, 256).putLong(128 + 32, text.length);
    file.putInt(192, 1).putLong(192 + 8, flags).putLong(192 + 32, size);
    file.put(256, text);
    return file.array();
  }

  @Test
  void theVariablesOfAText() {
    assertEquals(OptionalLong.of(5000), of(Containers.bytes(PTX), false));
  }

  @Test
  void whatADeviceBinaryHasInDeviceMemory() {
    assertEquals(OptionalLong.of(1L << 33), of(binary(".nv.global", 3, 1L << 33), false));
    assertEquals(OptionalLong.of(256), of(binary(".text.run", 6, 256), false));
    assertEquals(OptionalLong.of(0), of(binary(".nv.shared.run", 3, 1024), false));
    assertEquals(OptionalLong.of(0), of(binary(".debug_line", 0, 1024), false));
  }

  @Test
  void theLargestInAContainerAndAllContainers() {
    byte[] one =
        Containers.container(
            Containers.ptx(52, PTX),
            Containers.entry(2, 90, 0, binary(".nv.global.init", 3, 9000), 0));
    byte[] both = Arrays.copyOf(one, 2 * ((one.length + 7) / 8 * 8));
    System.arraycopy(one, 0, both, both.length / 2, one.length);
    assertEquals(OptionalLong.of(9000), of(one, false));
    assertEquals(OptionalLong.of(18000), of(both, false));
  }

  @Test
  void whatIsCompressedIsReadOnlyIfItIsWanted() {
    byte[] text = Containers.bytes(PTX);
    byte[] packed = Lz4Writer.compress(text);
    byte[] image =
        Containers.container(Containers.entry(1, 52, FatEntry.FLAG_LZ4, packed, text.length));
    assertEquals(OptionalLong.empty(), of(image, false));
    assertEquals(OptionalLong.of(5000), of(image, true));
  }

  @Test
  void whatCannotBeReadIsNotKnown() {
    byte[] early = binary(".nv.global", 3, 1);
    assertEquals(OptionalLong.empty(), of(Arrays.copyOf(early, 100), true));
    assertEquals(OptionalLong.empty(), of(binary(".nv.global", 3, -1), true));
    assertEquals(OptionalLong.empty(), of(Containers.container(Containers.binary(52)), true));
    assertEquals(OptionalLong.empty(), of(new byte[2], true));
    assertEquals(OptionalLong.empty(), of(Containers.bytes(".global .odd x;"), true));
  }
}
