// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.cuda;

import io.outboard.backend.library.OfferedCalls;
import io.outboard.backend.system.NativeBuffer;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaDriverForwarding;
import io.outboard.cuda.CudaDriverTable;
import io.outboard.cuda.CudaResult;
import io.outboard.wire.Bytes;
import java.util.BitSet;
import java.util.Set;

/**
 * Loads images by their content: those that come with their bytes are kept for later clients, those
 * that come with their digest alone are the kept ones.
 */
final class ImagesByContent extends CudaDriverForwarding {
  private static final Set<String> CALLS =
      Set.of("outboardModuleContent", "outboardLibraryContent", "outboardLinkContent");

  private final ImageFiles images;

  ImagesByContent(CudaDriver delegate, ImageFiles images) {
    super(delegate);
    this.images = images;
  }

  /** The calls without those that need kept images. */
  static BitSet without(BitSet calls) {
    return OfferedCalls.without(calls, CudaDriverTable::name, CALLS);
  }

  private interface Loader {
    /** Has the driver take the image at an address. */
    int load(long image);
  }

  private int load(long digest, long image, long bytes, Loader loader) {
    if (digest == 0 || bytes <= 0) {
      return CudaResult.INVALID_VALUE;
    }
    Bytes name = ImageFiles.digestAt(digest);
    return image == 0 ? loadKept(name, bytes, loader) : loadAndKeep(name, image, bytes, loader);
  }

  private int loadKept(Bytes name, long bytes, Loader loader) {
    try (NativeBuffer kept = images.find(name, bytes)) {
      return kept == null ? CudaResult.FILE_NOT_FOUND : loader.load(kept.address());
    }
  }

  /** An image that cannot be loaded is of no use. */
  private int loadAndKeep(Bytes name, long image, long bytes, Loader loader) {
    int result = loader.load(image);
    if (result == CudaResult.SUCCESS) {
      images.keep(name, image, bytes);
    }
    return result;
  }

  @Override
  public int outboardModuleContent(long module, long digest, long image, long bytes) {
    return load(digest, image, bytes, at -> delegate.cuModuleLoadData(module, at, bytes));
  }

  @Override
  public int outboardLibraryContent(long library, long digest, long image, long bytes) {
    return load(digest, image, bytes, at -> delegate.cuLibraryLoadData(library, at, bytes));
  }

  @Override
  public int outboardLinkContent(
      long link, int type, long digest, long data, long bytes, long name) {
    return load(
        digest, data, bytes, at -> delegate.outboardLinkAddData(link, type, at, bytes, name));
  }
}
