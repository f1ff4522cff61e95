// SPDX-License-Identifier: Apache-2.0
package io.outboard.opencl;

import io.outboard.wire.Native;

/**
 * The memory that images take, by their descriptions: OpenCL specification 3.0, section 5.3.1. What
 * devices add for their layouts is not known. A format that is not known counts as the largest.
 */
final class ImageBytes {
  private static final int LARGEST_PIXEL = 16;
  private static final int IMAGE2D = 0x10F1;
  private static final int IMAGE3D = 0x10F2;
  private static final int IMAGE2D_ARRAY = 0x10F3;
  private static final int IMAGE1D_ARRAY = 0x10F5;
  private static final int FIRST_ORDER = 0x10B0;
  private static final int FIRST_TYPE = 0x10D0;

  /** Channels of CL_R to CL_ABGR. */
  private static final byte[] CHANNELS = {
    1, 1, 2, 2, 3, 4, 4, 4, 1, 1, 1, 2, 3, 1, 2, 3, 3, 4, 4, 4
  };

  /** Bytes of a channel of CL_SNORM_INT8 to CL_FLOAT; 0 where several channels are one word. */
  private static final byte[] CHANNEL_BYTES = {1, 2, 1, 2, 0, 0, 0, 1, 2, 4, 1, 2, 4, 2, 4};

  // Of struct cl_image_desc.
  private static final int WIDTH = 8;
  private static final int HEIGHT = 16;
  private static final int DEPTH = 24;
  private static final int ARRAY_SIZE = 32;
  private static final int MIP_LEVELS = 56;
  private static final int SAMPLES = 60;
  private static final int MEMORY = 64;

  private ImageBytes() {}

  static long clCreateImage(
      long context,
      long flags,
      long format,
      long description,
      long hostPtr,
      long bytes,
      long made) {
    return of(format, description);
  }

  static long outboardCreateSharedImage(
      long context, long flags, long format, long description, long size, long made) {
    return of(format, description);
  }

  static long clCreateImageWithProperties(
      long context,
      long properties,
      int count,
      long flags,
      long format,
      long description,
      long hostPtr,
      long bytes,
      long made) {
    return of(format, description);
  }

  static long outboardCreateStagedImage(
      long context,
      long properties,
      int count,
      long flags,
      long format,
      long description,
      long size,
      long number,
      long made) {
    return of(format, description);
  }

  /** Negative where no device has so much. What is made of another memory object takes none. */
  private static long of(long format, long description) {
    if (format == 0 || description == 0 || Native.getLong(description + MEMORY) != 0) {
      return 0;
    }
    long bytes = pixel(Native.getInt(format), Native.getInt(format + Integer.BYTES));
    int type = Native.getInt(description);
    bytes = times(bytes, Native.getLong(description + WIDTH));
    if (type == IMAGE2D || type == IMAGE3D || type == IMAGE2D_ARRAY) {
      bytes = times(bytes, Native.getLong(description + HEIGHT));
    }
    if (type == IMAGE3D) {
      bytes = times(bytes, Native.getLong(description + DEPTH));
    }
    if (type == IMAGE1D_ARRAY || type == IMAGE2D_ARRAY) {
      bytes = times(bytes, Native.getLong(description + ARRAY_SIZE));
    }
    // All further levels together are smaller than the first.
    bytes = times(bytes, Native.getInt(description + MIP_LEVELS) > 1 ? 2 : 1);
    return times(bytes, Math.max(1, Native.getInt(description + SAMPLES)));
  }

  private static long times(long bytes, long count) {
    return bytes < 0 || count < 0 || Math.multiplyHigh(bytes, count) != 0 ? -1 : bytes * count;
  }

  private static long pixel(int order, int type) {
    int channels = at(CHANNELS, order - FIRST_ORDER);
    int bytes = at(CHANNEL_BYTES, type - FIRST_TYPE);
    if (channels > 0 && bytes > 0) {
      return (long) channels * bytes;
    }
    boolean word = type - FIRST_TYPE >= 4 && type - FIRST_TYPE <= 6;
    return word || type == 0x10DF || type == 0x10E0 ? Integer.BYTES : LARGEST_PIXEL;
  }

  private static int at(byte[] table, int index) {
    return index >= 0 && index < table.length ? table[index] : 0;
  }
}
