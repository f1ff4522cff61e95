// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda;

import static io.outboard.cuda.CudaKinds.ARRAY;
import static io.outboard.cuda.CudaKinds.MIPMAPPED_ARRAY;
import static io.outboard.cuda.CudaKinds.STREAM;
import static io.outboard.spec.Scalar.LONG;
import static io.outboard.spec.Work.COMPUTE;
import static io.outboard.spec.Work.COPY;

import io.outboard.cuda.struct.Array3DDescription;
import io.outboard.cuda.struct.ArrayDescription;
import io.outboard.cuda.struct.ResourceDescription;
import io.outboard.spec.Async;
import io.outboard.spec.Blocking;
import io.outboard.spec.Call;
import io.outboard.spec.Custom;
import io.outboard.spec.DevicePointer;
import io.outboard.spec.DeviceWork;
import io.outboard.spec.Handle;
import io.outboard.spec.Handle.Life;
import io.outboard.spec.In;
import io.outboard.spec.Local;
import io.outboard.spec.Out;
import io.outboard.spec.Resource;
import io.outboard.spec.Takes;
import io.outboard.spec.Variants;

/**
 * Arrays, and the objects through which kernels read and write them; CUDA Driver API, sections
 * 6.13, 6.27 and 6.29. Values of objects are passed to kernels: they are the driver's own and are
 * never translated.
 */
public interface CudaTextures {
  /** Makes an array of one or two dimensions. */
  @Call(460)
  @Takes(value = Resource.MEMORY, decorated = true)
  default int cuArrayCreate_v2(
      @Out(LONG) @Handle(value = ARRAY, life = Life.CREATE) long array,
      @In(struct = ArrayDescription.class) long description) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** The descriptor that an array was made with. */
  @Call(461)
  default int cuArrayGetDescriptor_v2(
      @Out(struct = ArrayDescription.class) long description, @Handle(ARRAY) long array) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Makes an array of up to three dimensions. */
  @Call(462)
  @Takes(value = Resource.MEMORY, decorated = true)
  default int cuArray3DCreate_v2(
      @Out(LONG) @Handle(value = ARRAY, life = Life.CREATE) long array,
      @In(struct = Array3DDescription.class) long description) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** The descriptor that an array was made with. */
  @Call(463)
  default int cuArray3DGetDescriptor_v2(
      @Out(struct = Array3DDescription.class) long description, @Handle(ARRAY) long array) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Ends an array. */
  @Call(464)
  @Blocking
  default int cuArrayDestroy(@Handle(value = ARRAY, life = Life.DESTROY) long array) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** A plane of an array. */
  @Call(465)
  default int cuArrayGetPlane(
      @Out(LONG) @Handle(value = ARRAY, parent = "array") long plane,
      @Handle(ARRAY) long array,
      int index) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Makes an array of several levels. */
  @Call(466)
  @Takes(value = Resource.MEMORY, decorated = true)
  default int cuMipmappedArrayCreate(
      @Out(LONG) @Handle(value = MIPMAPPED_ARRAY, life = Life.CREATE) long array,
      @In(struct = Array3DDescription.class) long description,
      int levels) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** A level of such an array. */
  @Call(467)
  default int cuMipmappedArrayGetLevel(
      @Out(LONG) @Handle(value = ARRAY, parent = "array") long level,
      @Handle(MIPMAPPED_ARRAY) long array,
      int index) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Ends such an array. */
  @Call(468)
  @Blocking
  default int cuMipmappedArrayDestroy(
      @Handle(value = MIPMAPPED_ARRAY, life = Life.DESTROY) long array) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Copies to an array of one dimension. */
  @Call(469)
  @Blocking
  @DeviceWork(COPY)
  @Custom("no more than the array has is read from the program")
  @Variants("cuMemcpyHtoA_v2_ptds")
  default int cuMemcpyHtoA_v2(
      @Handle(ARRAY) long array,
      long offset,
      @In(bytes = "bytes", advancing = "offset") long source,
      long bytes) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Copies from an array of one dimension. */
  @Call(470)
  @Blocking
  @DeviceWork(COPY)
  @Variants("cuMemcpyAtoH_v2_ptds")
  default int cuMemcpyAtoH_v2(
      @Out(bytes = "bytes", advancing = "offset") long destination,
      @Handle(ARRAY) long array,
      long offset,
      long bytes) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Copies inside the device to an array of one dimension. */
  @Call(471)
  @Async
  @DeviceWork(COMPUTE)
  @Variants("cuMemcpyDtoA_v2_ptds")
  default int cuMemcpyDtoA_v2(
      @Handle(ARRAY) long array, long offset, @DevicePointer long source, long bytes) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Copies inside the device from an array of one dimension. */
  @Call(472)
  @Async
  @DeviceWork(COMPUTE)
  @Variants("cuMemcpyAtoD_v2_ptds")
  default int cuMemcpyAtoD_v2(
      @DevicePointer long destination, @Handle(ARRAY) long array, long offset, long bytes) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Copies between arrays of one dimension. */
  @Call(473)
  @Async
  @DeviceWork(COMPUTE)
  @Variants("cuMemcpyAtoA_v2_ptds")
  default int cuMemcpyAtoA_v2(
      @Handle(ARRAY) long destination,
      long destinationOffset,
      @Handle(ARRAY) long source,
      long sourceOffset,
      long bytes) {
    return CudaResult.NOT_SUPPORTED;
  }

  /**
   * Makes a texture object; the other descriptions are a CUDA_TEXTURE_DESC and a
   * CUDA_RESOURCE_VIEW_DESC.
   */
  @Call(474)
  default int cuTexObjectCreate(
      @Out(LONG) long object,
      @In(struct = ResourceDescription.class) long resource,
      @In(bytes = "104") long texture,
      @In(bytes = "112") long view) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Ends a texture object. */
  @Call(475)
  default int cuTexObjectDestroy(long object) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** The resource that a texture object reads. */
  @Call(476)
  default int cuTexObjectGetResourceDesc(
      @Out(struct = ResourceDescription.class) long resource, long object) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** How a texture object reads. */
  @Call(477)
  default int cuTexObjectGetTextureDesc(@Out(bytes = "104") long texture, long object) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** How a texture object sees what it reads. */
  @Call(478)
  default int cuTexObjectGetResourceViewDesc(@Out(bytes = "112") long view, long object) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Makes a surface object. */
  @Call(479)
  default int cuSurfObjectCreate(
      @Out(LONG) long object, @In(struct = ResourceDescription.class) long resource) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Ends a surface object. */
  @Call(480)
  default int cuSurfObjectDestroy(long object) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** The resource that a surface object reads and writes. */
  @Call(481)
  default int cuSurfObjectGetResourceDesc(
      @Out(struct = ResourceDescription.class) long resource, long object) {
    return CudaResult.NOT_SUPPORTED;
  }

  /**
   * Outboard's own: writes packed rows into a box of an array, in the order of a stream.
   *
   * @param x bytes to skip in a row
   * @param y rows to skip
   * @param z layers to skip
   * @param width bytes of a row
   * @param height rows
   * @param depth layers
   * @param bytes the product of these three
   */
  @Call(482)
  @Blocking
  @DeviceWork(COPY)
  @Custom(value = "not a function of the vendor: copies from the program to arrays", binding = true)
  default int outboardArrayWrite(
      @Handle(ARRAY) long array,
      long x,
      long y,
      long z,
      long width,
      long height,
      long depth,
      @In(bytes = "bytes") long source,
      long bytes,
      @Handle(STREAM) long stream) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Outboard's own: reads a box of an array; as {@link #outboardArrayWrite}. */
  @Call(483)
  @Blocking
  @DeviceWork(COPY)
  @Custom(value = "not a function of the vendor: copies from arrays to the program", binding = true)
  default int outboardArrayRead(
      @Out(bytes = "bytes") long destination,
      long bytes,
      @Handle(ARRAY) long array,
      long x,
      long y,
      long z,
      long width,
      long height,
      long depth,
      @Handle(STREAM) long stream) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As {@link #cuMemcpyHtoA_v2}, in the order of a stream. */
  @Local(
      prototype =
          "CUresult cuMemcpyHtoAAsync_v2(CUarray array, size_t offset, const void *source, size_t bytes, CUstream stream)")
  @Variants("cuMemcpyHtoAAsync_v2_ptsz")
  default int cuMemcpyHtoAAsync_v2(
      @Handle(ARRAY) long array,
      long offset,
      @In(bytes = "bytes") long source,
      long bytes,
      @Handle(STREAM) long stream) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As {@link #cuMemcpyAtoH_v2}, in the order of a stream. */
  @Local(
      prototype =
          "CUresult cuMemcpyAtoHAsync_v2(void *destination, CUarray array, size_t offset, size_t bytes, CUstream stream)")
  @Variants("cuMemcpyAtoHAsync_v2_ptsz")
  default int cuMemcpyAtoHAsync_v2(
      @Out(bytes = "bytes") long destination,
      @Handle(ARRAY) long array,
      long offset,
      long bytes,
      @Handle(STREAM) long stream) {
    return CudaResult.NOT_SUPPORTED;
  }
}
