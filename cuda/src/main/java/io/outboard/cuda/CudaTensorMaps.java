// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda;

import static io.outboard.spec.Scalar.INT;
import static io.outboard.spec.Scalar.LONG;

import io.outboard.spec.Cached;
import io.outboard.spec.Call;
import io.outboard.spec.DevicePointer;
import io.outboard.spec.In;
import io.outboard.spec.InOut;
import io.outboard.spec.Out;

/**
 * Tensor maps: 128 bytes that the driver computes and the program passes to kernels; CUDA Driver
 * API, section 6.31. A device without them has none of these.
 */
public interface CudaTensorMaps {
  /** Size of a tensor map in bytes. */
  int MAP_BYTES = 128;

  /** A map of boxes. */
  @Call(200)
  @Cached
  default int cuTensorMapEncodeTiled(
      @Out(bytes = "128") long map,
      int type,
      int rank,
      @DevicePointer long address,
      @In(value = LONG, count = "rank") long dimensions,
      @In(value = LONG, count = "rank - 1") long strides,
      @In(value = INT, count = "rank") long box,
      @In(value = INT, count = "rank") long elementStrides,
      int interleave,
      int swizzle,
      int promotion,
      int fill) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** A map of pixels in columns. */
  @Call(201)
  @Cached
  default int cuTensorMapEncodeIm2col(
      @Out(bytes = "128") long map,
      int type,
      int rank,
      @DevicePointer long address,
      @In(value = LONG, count = "rank") long dimensions,
      @In(value = LONG, count = "rank - 1") long strides,
      @In(value = INT, count = "rank - 2") long lowerCorner,
      @In(value = INT, count = "rank - 2") long upperCorner,
      int channels,
      int pixels,
      @In(value = INT, count = "rank") long elementStrides,
      int interleave,
      int swizzle,
      int promotion,
      int fill) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** A map of pixels in columns, along the width only. */
  @Call(202)
  @Cached
  default int cuTensorMapEncodeIm2colWide(
      @Out(bytes = "128") long map,
      int type,
      int rank,
      @DevicePointer long address,
      @In(value = LONG, count = "rank") long dimensions,
      @In(value = LONG, count = "rank - 1") long strides,
      int lowerCorner,
      int upperCorner,
      int channels,
      int pixels,
      @In(value = INT, count = "rank") long elementStrides,
      int interleave,
      int mode,
      int swizzle,
      int promotion,
      int fill) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Gives a map another address. */
  @Call(203)
  default int cuTensorMapReplaceAddress(
      @InOut(bytes = "128") long map, @DevicePointer long address) {
    return CudaResult.NOT_SUPPORTED;
  }
}
