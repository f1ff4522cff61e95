// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda;

import static io.outboard.cuda.CudaKinds.STREAM;
import static io.outboard.spec.Need.CURRENT_CONTEXT;
import static io.outboard.spec.Range.Use.RESERVE;
import static io.outboard.spec.Scalar.INT;
import static io.outboard.spec.Scalar.LONG;
import static io.outboard.spec.Work.COMPUTE;
import static io.outboard.spec.Work.COPY;
import static io.outboard.spec.Work.WAIT;

import io.outboard.cuda.struct.Memcpy2D;
import io.outboard.cuda.struct.Memcpy3D;
import io.outboard.spec.Async;
import io.outboard.spec.Blocking;
import io.outboard.spec.Call;
import io.outboard.spec.Copy;
import io.outboard.spec.Custom;
import io.outboard.spec.DevicePointer;
import io.outboard.spec.DeviceWork;
import io.outboard.spec.Fill;
import io.outboard.spec.Handle;
import io.outboard.spec.In;
import io.outboard.spec.Local;
import io.outboard.spec.OrderedBy;
import io.outboard.spec.Out;
import io.outboard.spec.Range;
import io.outboard.spec.Ready;
import io.outboard.spec.Resource;
import io.outboard.spec.Same;
import io.outboard.spec.Takes;
import io.outboard.spec.Touches;
import io.outboard.spec.Variants;

/**
 * Memory; CUDA Driver API, section 6.13. Device addresses are the backend's own and are never
 * translated.
 */
public interface CudaMemory {
  /** Free and total memory of the current context's device, in bytes. */
  @Call(50)
  @Custom("descriptors of memory that the program has closed")
  int cuMemGetInfo_v2(@Out(LONG) long free, @Out(LONG) long total);

  /** Allocates {@code bytes} of device memory, aligned to 256 bytes at least. */
  @Call(51)
  @Takes(value = Resource.MEMORY, decorated = true)
  @Ready(CURRENT_CONTEXT)
  int cuMemAlloc_v2(
      @Out(LONG) @DevicePointer @Range(value = RESERVE, bytes = "bytes", undo = "cuMemFree_v2")
          long pointer,
      long bytes);

  /** Allocates rows padded to a pitch that suits the device. */
  @Call(52)
  @Takes(value = Resource.MEMORY, decorated = true)
  @Ready(CURRENT_CONTEXT)
  int cuMemAllocPitch_v2(
      @Out(LONG)
          @DevicePointer
          @Range(value = RESERVE, bytes = "pitch * height", undo = "cuMemFree_v2")
          long pointer,
      @Out(LONG) long pitch,
      long width,
      long height,
      int elementBytes);

  /** Frees device memory; waits for work that may use it. Null is allowed. */
  @Call(53)
  @Blocking
  @DeviceWork(WAIT)
  @Custom("the range, and managed memory")
  int cuMemFree_v2(@DevicePointer long pointer);

  /** Base and size of the allocation that an address lies in. */
  @Call(54)
  @Custom("managed memory, of which the frontend knows")
  int cuMemGetAddressRange_v2(
      @Out(LONG) @DevicePointer long base, @Out(LONG) long bytes, @DevicePointer long pointer);

  /** Copies to the device and returns when the source may be changed. */
  @Call(55)
  @Blocking
  @DeviceWork(COPY)
  @Ready(CURRENT_CONTEXT)
  @Copy
  @Variants(value = "cuMemcpyHtoD_v2_ptds", inStream = "cuMemcpyHtoDAsync_v2")
  int cuMemcpyHtoD_v2(
      @DevicePointer long destination,
      @In(bytes = "bytes", advancing = "destination") long source,
      long bytes);

  /** Copies from the device and returns when the bytes are there. */
  @Call(56)
  @Blocking
  @DeviceWork(COPY)
  @Ready(CURRENT_CONTEXT)
  @Copy
  @Variants(value = "cuMemcpyDtoH_v2_ptds", inStream = "cuMemcpyDtoHAsync_v2")
  int cuMemcpyDtoH_v2(
      @Out(bytes = "bytes", advancing = "source") long destination,
      @DevicePointer long source,
      long bytes);

  /** Copies inside the device, or between devices. */
  @Call(57)
  @Async
  @DeviceWork(COMPUTE)
  @Variants(value = "cuMemcpyDtoD_v2_ptds", inStream = "cuMemcpyDtoDAsync_v2")
  int cuMemcpyDtoD_v2(@DevicePointer long destination, @DevicePointer long source, long bytes);

  /** As {@link #cuMemcpyHtoD_v2}, in the order of a stream. The source is taken at the call. */
  @Call(58)
  @Async
  @DeviceWork(COPY)
  @Ready(CURRENT_CONTEXT)
  @Copy
  @Variants("cuMemcpyHtoDAsync_v2_ptsz")
  int cuMemcpyHtoDAsync_v2(
      @DevicePointer long destination,
      @In(bytes = "bytes", advancing = "destination") long source,
      long bytes,
      @Handle(STREAM) @Touches long stream);

  /**
   * As {@link #cuMemcpyDtoH_v2}, in the order of a stream. Answered: the bytes are there when it
   * returns.
   */
  @Call(59)
  @Blocking
  @DeviceWork(COPY)
  @Ready(CURRENT_CONTEXT)
  @Copy
  @Variants("cuMemcpyDtoHAsync_v2_ptsz")
  int cuMemcpyDtoHAsync_v2(
      @Out(bytes = "bytes", advancing = "source") long destination,
      @DevicePointer long source,
      long bytes,
      @Handle(STREAM) @Touches long stream);

  /** As {@link #cuMemcpyDtoD_v2}, in the order of a stream. */
  @Call(60)
  @Async
  @DeviceWork(value = COMPUTE, in = "stream")
  @Variants("cuMemcpyDtoDAsync_v2_ptsz")
  int cuMemcpyDtoDAsync_v2(
      @DevicePointer long destination,
      @DevicePointer long source,
      long bytes,
      @Handle(STREAM) @Touches @OrderedBy long stream);

  /** Sets {@code count} bytes. */
  @Call(61)
  @Async
  @DeviceWork(COMPUTE)
  @Fill
  @Variants(value = "cuMemsetD8_v2_ptds", inStream = "cuMemsetD8Async")
  int cuMemsetD8_v2(@DevicePointer long destination, byte value, long count);

  /** Sets {@code count} 16-bit values; the address is aligned to 2. */
  @Call(62)
  @Async
  @DeviceWork(COMPUTE)
  @Fill
  @Variants(value = "cuMemsetD16_v2_ptds", inStream = "cuMemsetD16Async")
  int cuMemsetD16_v2(@DevicePointer long destination, short value, long count);

  /** Sets {@code count} 32-bit values; the address is aligned to 4. */
  @Call(63)
  @Async
  @DeviceWork(COMPUTE)
  @Fill
  @Variants(value = "cuMemsetD32_v2_ptds", inStream = "cuMemsetD32Async")
  int cuMemsetD32_v2(@DevicePointer long destination, int value, long count);

  /** As {@link #cuMemsetD8_v2}, in the order of a stream. */
  @Call(64)
  @Async
  @DeviceWork(value = COMPUTE, in = "stream")
  @Fill
  @Variants("cuMemsetD8Async_ptsz")
  int cuMemsetD8Async(
      @DevicePointer long destination,
      byte value,
      long count,
      @Handle(STREAM) @Touches @OrderedBy long stream);

  /** As {@link #cuMemsetD16_v2}, in the order of a stream. */
  @Call(65)
  @Async
  @DeviceWork(value = COMPUTE, in = "stream")
  @Fill
  @Variants("cuMemsetD16Async_ptsz")
  int cuMemsetD16Async(
      @DevicePointer long destination,
      short value,
      long count,
      @Handle(STREAM) @Touches @OrderedBy long stream);

  /** As {@link #cuMemsetD32_v2}, in the order of a stream. */
  @Call(66)
  @Async
  @DeviceWork(value = COMPUTE, in = "stream")
  @Fill
  @Variants("cuMemsetD32Async_ptsz")
  int cuMemsetD32Async(
      @DevicePointer long destination,
      int value,
      long count,
      @Handle(STREAM) @Touches @OrderedBy long stream);

  /** Sets a rectangle of bytes. */
  @Call(67)
  @Async
  @DeviceWork(COMPUTE)
  @Variants(value = "cuMemsetD2D8_v2_ptds", inStream = "cuMemsetD2D8Async")
  int cuMemsetD2D8_v2(
      @DevicePointer long destination, long pitch, byte value, long width, long height);

  /** Sets a rectangle of 16-bit values. */
  @Call(72)
  @Async
  @DeviceWork(COMPUTE)
  @Variants("cuMemsetD2D16_v2_ptds")
  int cuMemsetD2D16_v2(
      @DevicePointer long destination, long pitch, short value, long width, long height);

  /** As {@link #cuMemsetD2D16_v2}, in the order of a stream. */
  @Call(73)
  @Async
  @DeviceWork(value = COMPUTE, in = "stream")
  @Variants("cuMemsetD2D16Async_ptsz")
  int cuMemsetD2D16Async(
      @DevicePointer long destination,
      long pitch,
      short value,
      long width,
      long height,
      @Handle(STREAM) @Touches @OrderedBy long stream);

  /** Copies a box between arrays and device memory; host memory is refused. */
  @Call(74)
  @Async
  @DeviceWork(value = COMPUTE, in = "stream")
  @Custom(value = "not a function of the vendor: cuMemcpy3D without host memory", binding = true)
  int outboardMemcpy3D(@In(struct = Memcpy3D.class) long copy, @Handle(STREAM) long stream);

  /** Sets a rectangle of 32-bit values. */
  @Call(68)
  @Async
  @DeviceWork(COMPUTE)
  @Variants(value = "cuMemsetD2D32_v2_ptds", inStream = "cuMemsetD2D32Async")
  int cuMemsetD2D32_v2(
      @DevicePointer long destination, long pitch, int value, long width, long height);

  /** As {@link #cuMemsetD2D8_v2}, in the order of a stream. */
  @Call(69)
  @Async
  @DeviceWork(value = COMPUTE, in = "stream")
  @Variants("cuMemsetD2D8Async_ptsz")
  int cuMemsetD2D8Async(
      @DevicePointer long destination,
      long pitch,
      byte value,
      long width,
      long height,
      @Handle(STREAM) @Touches @OrderedBy long stream);

  /** As {@link #cuMemsetD2D32_v2}, in the order of a stream. */
  @Call(70)
  @Async
  @DeviceWork(value = COMPUTE, in = "stream")
  @Variants("cuMemsetD2D32Async_ptsz")
  int cuMemsetD2D32Async(
      @DevicePointer long destination,
      long pitch,
      int value,
      long width,
      long height,
      @Handle(STREAM) @Touches @OrderedBy long stream);

  /**
   * Outboard's own: copies packed rows of the program to a rectangle of device memory in the order
   * of a stream that does not capture. The source is taken at the call.
   *
   * @param pitch bytes from a row's start to the next one's, at least {@code width}
   * @param width bytes of a row
   * @param height rows
   * @param bytes the product of both
   */
  @Call(649)
  @Async
  @DeviceWork(COPY)
  @Custom(value = "not a function of the vendor: rows of cuMemcpy2D to the device", binding = true)
  default int outboardRowsWrite(
      @DevicePointer long destination,
      long pitch,
      long width,
      long height,
      @In(bytes = "bytes") long source,
      long bytes,
      @Handle(STREAM) @Touches @OrderedBy long stream) {
    return CudaResult.NOT_SUPPORTED;
  }

  /**
   * Outboard's own: copies a rectangle inside the device in the order of a stream; {@code
   * cuMemcpy2D} of device memory. Rectangles that touch host memory are packed and cut into rows by
   * the frontend.
   */
  @Call(71)
  @Async
  @DeviceWork(value = COMPUTE, in = "stream")
  @Custom(
      value = "not a function of the vendor: the frontend sorts the cases of cuMemcpy2D",
      binding = true)
  int outboardMemcpy2D(
      @DevicePointer long destination,
      long destinationPitch,
      @DevicePointer long source,
      long sourcePitch,
      long width,
      long height,
      @Handle(STREAM) long stream);

  /**
   * One figure of a pointer ({@code CUpointer_attribute}); host memory that CUDA does not know is
   * an invalid value.
   */
  @Local(
      prototype = "CUresult cuPointerGetAttribute(void *data, int attribute, CUdeviceptr pointer)")
  default int cuPointerGetAttribute(
      @Out(LONG) long data, int attribute, @DevicePointer long pointer) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Several figures of a pointer. */
  @Local(
      prototype =
          "CUresult cuPointerGetAttributes(unsigned int count, int *attributes, void **data,"
              + " CUdeviceptr pointer)")
  default int cuPointerGetAttributes(
      int count,
      @In(value = INT, count = "count") long attributes,
      @In(value = LONG, count = "count") long data,
      @DevicePointer long pointer) {
    return CudaResult.NOT_SUPPORTED;
  }

  /**
   * Page-locked host memory: shared with the backend where that is possible (see {@link
   * CudaHostMemory}), else the program's own. Kernels cannot use the latter.
   */
  @Local(prototype = "CUresult cuMemHostAlloc(void **pointer, size_t bytes, unsigned int flags)")
  default int cuMemHostAlloc(@Out(LONG) long pointer, long bytes, int flags) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As {@link #cuMemHostAlloc} without flags. */
  @Same(
      as = "cuMemHostAlloc",
      with = {"pointer", "bytes", "0"},
      prototype = "CUresult cuMemAllocHost_v2(void **pointer, size_t bytes)")
  default int cuMemAllocHost_v2(@Out(LONG) long pointer, long bytes) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Frees page-locked host memory. */
  @Local(prototype = "CUresult cuMemFreeHost(void *pointer)")
  default int cuMemFreeHost(long pointer) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Page-locks host memory of the program. */
  @Variants("cuMemHostRegister")
  @Local(
      prototype = "CUresult cuMemHostRegister_v2(void *pointer, size_t bytes, unsigned int flags)")
  default int cuMemHostRegister_v2(long pointer, long bytes, int flags) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Ends the page-lock. */
  @Local(prototype = "CUresult cuMemHostUnregister(void *pointer)")
  default int cuMemHostUnregister(long pointer) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** The device's address of mapped host memory: refused across a connection. */
  @Local(
      prototype =
          "CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *device, void *pointer, unsigned int"
              + " flags)")
  default int cuMemHostGetDevicePointer_v2(
      @Out(LONG) @DevicePointer long device, long pointer, int flags) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** The flags that page-locked memory was made with. */
  @Local(prototype = "CUresult cuMemHostGetFlags(unsigned int *flags, void *pointer)")
  default int cuMemHostGetFlags(@Out(INT) long flags, long pointer) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Copies between any two addresses: sorted by what they point to. */
  @Variants("cuMemcpy_ptds")
  @Local(prototype = "CUresult cuMemcpy(CUdeviceptr destination, CUdeviceptr source, size_t bytes)")
  default int cuMemcpy(@DevicePointer long destination, @DevicePointer long source, long bytes) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As {@link #cuMemcpy}, in the order of a stream. */
  @Variants("cuMemcpyAsync_ptsz")
  @Local(
      prototype =
          "CUresult cuMemcpyAsync(CUdeviceptr destination, CUdeviceptr source, size_t bytes,"
              + " CUstream stream)")
  default int cuMemcpyAsync(
      @DevicePointer long destination,
      @DevicePointer long source,
      long bytes,
      @Handle(STREAM) long stream) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Copies a rectangle ({@code CUDA_MEMCPY2D}). */
  @Variants("cuMemcpy2D_v2_ptds")
  @Local(prototype = "CUresult cuMemcpy2D_v2(const void *copy)")
  default int cuMemcpy2D_v2(@In(struct = Memcpy2D.class) long copy) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As {@link #cuMemcpy2D_v2}, of any pitch. */
  @Variants("cuMemcpy2DUnaligned_v2_ptds")
  @Local(prototype = "CUresult cuMemcpy2DUnaligned_v2(const void *copy)")
  default int cuMemcpy2DUnaligned_v2(@In(struct = Memcpy2D.class) long copy) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As {@link #cuMemcpy2D_v2}, in the order of a stream. */
  @Variants("cuMemcpy2DAsync_v2_ptsz")
  @Local(prototype = "CUresult cuMemcpy2DAsync_v2(const void *copy, CUstream stream)")
  default int cuMemcpy2DAsync_v2(
      @In(struct = Memcpy2D.class) long copy, @Handle(STREAM) long stream) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Copies a box; between program and device as rows. */
  @Local(prototype = "CUresult cuMemcpy3D_v2(const CUDA_MEMCPY3D *copy)")
  @Variants("cuMemcpy3D_v2_ptds")
  default int cuMemcpy3D_v2(@In(struct = Memcpy3D.class) long copy) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As {@link #cuMemcpy3D_v2}, in the order of a stream. */
  @Local(prototype = "CUresult cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D *copy, CUstream stream)")
  @Variants("cuMemcpy3DAsync_v2_ptsz")
  default int cuMemcpy3DAsync_v2(
      @In(struct = Memcpy3D.class) long copy, @Handle(STREAM) long stream) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As {@link #cuMemcpy3D_v2}, between contexts, whose addresses are in one space. */
  @Local(prototype = "CUresult cuMemcpy3DPeer(const CUDA_MEMCPY3D *copy)")
  @Variants("cuMemcpy3DPeer_ptds")
  default int cuMemcpy3DPeer(@In(struct = Memcpy3D.class) long copy) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As {@link #cuMemcpy3DPeer}, in the order of a stream. */
  @Local(prototype = "CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D *copy, CUstream stream)")
  @Variants("cuMemcpy3DPeerAsync_ptsz")
  default int cuMemcpy3DPeerAsync(
      @In(struct = Memcpy3D.class) long copy, @Handle(STREAM) long stream) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Several copies in the order of a stream, one after another. */
  @Local(
      prototype =
          "CUresult cuMemcpyBatchAsync_v2(CUdeviceptr *destinations, CUdeviceptr *sources, size_t"
              + " *sizes, size_t count, void *attributes, size_t *attributeIndexes, size_t"
              + " attributeCount, CUstream stream)")
  @Variants("cuMemcpyBatchAsync_v2_ptsz")
  default int cuMemcpyBatchAsync_v2(
      long destinations,
      long sources,
      long sizes,
      long count,
      long attributes,
      long attributeIndexes,
      long attributeCount,
      @Handle(STREAM) long stream) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As {@link #cuMemcpyBatchAsync_v2}, and says which copy failed. */
  @Local(
      prototype =
          "CUresult cuMemcpyBatchAsync(CUdeviceptr *destinations, CUdeviceptr *sources, size_t"
              + " *sizes, size_t count, void *attributes, size_t *attributeIndexes, size_t"
              + " attributeCount, size_t *failed, CUstream stream)")
  @Variants("cuMemcpyBatchAsync_ptsz")
  default int cuMemcpyBatchAsync(
      long destinations,
      long sources,
      long sizes,
      long count,
      long attributes,
      long attributeIndexes,
      long attributeCount,
      long failed,
      @Handle(STREAM) long stream) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Sets how an address is used ({@code CUpointer_attribute}): whether copies of it wait. */
  @Call(75)
  default int cuPointerSetAttribute(
      @In(INT) long value, int attribute, @DevicePointer long pointer) {
    return CudaResult.NOT_SUPPORTED;
  }
}
