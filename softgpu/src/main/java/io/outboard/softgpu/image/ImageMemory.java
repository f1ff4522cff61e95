// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.image;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import io.outboard.ptx.PtxModule;
import io.outboard.ptx.host.PtxException;
import java.lang.foreign.MemorySegment;
import java.util.OptionalLong;

/**
 * How much device memory an image takes once it is loaded, as far as it says: the variables of PTX,
 * the variables and the code of a device binary. Of the images in a container a driver loads one,
 * so the largest counts. The size of a driver's code for PTX, and its rounding, are not known.
 */
public final class ImageMemory {
  private final boolean decompress;

  private ImageMemory(boolean decompress) {
    this.decompress = decompress;
  }

  /**
   * The bytes that an image takes at least; empty where nothing of it can be read.
   *
   * @param decompress whether to read what is compressed too, which may take long
   */
  public static OptionalLong of(MemorySegment image, boolean decompress) {
    try {
      return new ImageMemory(decompress).ofImage(image);
    } catch (MalformedException | PtxException | IndexOutOfBoundsException unreadable) {
      return OptionalLong.empty();
    }
  }

  private OptionalLong ofImage(MemorySegment image) throws MalformedException {
    if (image.byteSize() < Integer.BYTES) {
      return OptionalLong.empty();
    }
    return image.get(JAVA_INT_UNALIGNED, 0) == Images.CONTAINER_MAGIC
        ? ofContainers(image)
        : OptionalLong.of(ofCode(image));
  }

  /** A container has none in it. */
  private static long ofCode(MemorySegment code) throws MalformedException {
    return code.get(JAVA_INT_UNALIGNED, 0) == Images.ELF_MAGIC
        ? DeviceBinary.allocated(code)
        : PtxModule.variableBytes(FatEntry.text(code.toArray(JAVA_BYTE)));
  }

  private OptionalLong ofContainers(MemorySegment image) throws MalformedException {
    long sum = 0;
    boolean known = false;
    for (ContainerReader each = new ContainerReader(image); each.next(); ) {
      OptionalLong largest = ofEntries(each.entries());
      sum += largest.orElse(0);
      known |= largest.isPresent();
    }
    return known ? OptionalLong.of(sum) : OptionalLong.empty();
  }

  private OptionalLong ofEntries(MemorySegment container) throws MalformedException {
    OptionalLong largest = OptionalLong.empty();
    for (long offset = 0; offset < container.byteSize(); ) {
      FatEntry entry = new FatEntry(container, offset);
      if ((entry.isPtx() || entry.isBinary()) && (decompress || !entry.isCompressed())) {
        largest = OptionalLong.of(Math.max(largest.orElse(0), ofCode(entry.content())));
      }
      offset = entry.end();
    }
    return largest;
  }
}
