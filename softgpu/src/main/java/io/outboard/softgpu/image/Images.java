// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.image;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import io.outboard.cuda.CudaResult;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Chooses the PTX text of an image. An image is PTX text, or a device binary (ELF), or one or more
 * containers, each a 16-byte header {u32 magic, u16 version, u16 header size, u64 size of what
 * follows} and entries.
 */
public final class Images {
  private static final int CONTAINER_MAGIC = 0xba55ed50;
  private static final int CONTAINER_HEADER_BYTES = 16;
  private static final int ELF_MAGIC = 0x464c457f;

  private final MemorySegment image;
  private final int architecture;
  private final List<FatEntry> chosen = new ArrayList<>();
  private final StringBuilder found = new StringBuilder();

  private Images(MemorySegment image, int architecture) {
    this.image = image;
    this.architecture = architecture;
  }

  /**
   * The PTX text for a device: the one of the highest architecture that the device has.
   *
   * @param architecture 10 × major + minor of the device's compute capability
   * @throws ImageException if there is none
   */
  public static String ptx(MemorySegment image, int architecture) throws ImageException {
    if (image.byteSize() < 4) {
      throw new ImageException(CudaResult.INVALID_IMAGE, "image of " + image.byteSize() + " bytes");
    }
    return switch (image.get(JAVA_INT_UNALIGNED, 0)) {
      case CONTAINER_MAGIC -> new Images(image, architecture).containers();
      case ELF_MAGIC -> throw unusable("a device binary (SASS)");
      default -> plain(image);
    };
  }

  private static String plain(MemorySegment image) throws ImageException {
    String text = FatEntry.text(image.toArray(JAVA_BYTE));
    if (!text.contains(".version")) {
      throw new ImageException(
          CudaResult.INVALID_IMAGE, "image is neither PTX text nor a container");
    }
    return text;
  }

  private static ImageException unusable(String found) {
    return new ImageException(
        CudaResult.NO_BINARY_FOR_GPU,
        "the software GPU runs PTX, and there is none in this image that it can use; found "
            + found
            + ". Frameworks such as PyTorch carry compiled SASS only: they need a real GPU (outboard"
            + " serve --device=nvidia on a machine that has one). A program of your own needs PTX for"
            + " this device or an older one (nvcc: -gencode arch=compute_75,code=compute_75).");
  }

  private String containers() throws ImageException {
    try {
      for (long offset = 0; offset < image.byteSize(); ) {
        offset = container(offset);
      }
      return text();
    } catch (MalformedException broken) {
      throw new ImageException(CudaResult.INVALID_IMAGE, broken.getMessage());
    }
  }

  /** Reads the container at an offset and returns where the next one may be. */
  private long container(long offset) throws MalformedException {
    long room = image.byteSize() - offset;
    if (room < CONTAINER_HEADER_BYTES || image.get(JAVA_INT_UNALIGNED, offset) != CONTAINER_MAGIC) {
      return image.byteSize();
    }
    long header = image.get(JAVA_SHORT_UNALIGNED, offset + 6) & 0xffff;
    long size = image.get(JAVA_LONG_UNALIGNED, offset + 8);
    if (header < CONTAINER_HEADER_BYTES || header > room || size < 0 || size > room - header) {
      throw new MalformedException("container is longer than the image");
    }
    entries(image.asSlice(offset + header, size));
    return offset + (header + size + 7) / 8 * 8;
  }

  private void entries(MemorySegment container) throws MalformedException {
    FatEntry best = null;
    for (long offset = 0; offset < container.byteSize(); ) {
      FatEntry entry = new FatEntry(container, offset);
      found.append(found.isEmpty() ? "" : ", ").append(entry.description());
      if (isUsable(entry) && (best == null || entry.architecture() > best.architecture())) {
        best = entry;
      }
      offset = entry.end();
    }
    if (best != null) {
      chosen.add(best);
    }
  }

  private boolean isUsable(FatEntry entry) {
    return entry.isPortablePtx() && entry.architecture() <= architecture;
  }

  private String text() throws ImageException, MalformedException {
    if (chosen.isEmpty()) {
      throw unusable(found.isEmpty() ? "no image at all" : found.toString());
    }
    if (chosen.size() == 1) {
      return chosen.getFirst().text();
    }
    PtxLinker linker = new PtxLinker();
    for (FatEntry entry : chosen) {
      linker.add(entry.text());
    }
    return linker.link();
  }
}
