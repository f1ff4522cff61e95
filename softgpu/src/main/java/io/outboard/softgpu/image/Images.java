// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.image;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import io.outboard.cuda.CudaResult;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Chooses the PTX text of an image. An image is PTX text, or a device binary (ELF), or one or more
 * {@link ContainerReader containers}.
 */
public final class Images {
  static final int CONTAINER_MAGIC = 0xba55ed50;
  static final int ELF_MAGIC = 0x464c457f;

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
            + " this device or an older one, from a compiler whose licence permits to run it here"
            + " (clang++ --offload-arch=sm_75 --cuda-include-ptx=sm_75; docs/legal.md).");
  }

  private String containers() throws ImageException {
    try {
      for (ContainerReader each = new ContainerReader(image); each.next(); ) {
        entries(each.entries());
      }
      return text();
    } catch (MalformedException broken) {
      throw new ImageException(CudaResult.INVALID_IMAGE, broken.getMessage());
    }
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
