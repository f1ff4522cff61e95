// SPDX-License-Identifier: Apache-2.0
package io.outboard.opencl;

import static io.outboard.opencl.OpenClKinds.CONTEXT;
import static io.outboard.opencl.OpenClKinds.EVENT;
import static io.outboard.opencl.OpenClKinds.MEMORY;
import static io.outboard.opencl.OpenClKinds.QUEUE;
import static io.outboard.opencl.OpenClKinds.SAMPLER;
import static io.outboard.spec.Handle.Life.CREATE;
import static io.outboard.spec.Handle.Life.RELEASE;
import static io.outboard.spec.Handle.Life.RETAIN;
import static io.outboard.spec.Scalar.INT;
import static io.outboard.spec.Scalar.LONG;

import io.outboard.opencl.struct.ImageDescription;
import io.outboard.opencl.struct.ImageFormat;
import io.outboard.spec.Async;
import io.outboard.spec.Call;
import io.outboard.spec.Custom;
import io.outboard.spec.Found;
import io.outboard.spec.Handle;
import io.outboard.spec.In;
import io.outboard.spec.Local;
import io.outboard.spec.Out;
import io.outboard.spec.Query;
import io.outboard.spec.Resource;
import io.outboard.spec.Returned;
import io.outboard.spec.Takes;
import io.outboard.spec.Within;

/** Images and samplers; OpenCL specification 3.0, sections 5.3 and 5.7. */
public interface OpenClImages {
  /** Makes an image; its first contents travel along, with pitches as the description has them. */
  @Call(70)
  @Takes(value = Resource.MEMORY, by = "ImageBytes", of = "context")
  @Custom("the length of the program's memory, which follows from the description")
  int clCreateImage(
      @Handle(CONTEXT) long context,
      long flags,
      @In(struct = ImageFormat.class) long format,
      @In(struct = ImageDescription.class) long description,
      @In(bytes = "bytes") long hostPtr,
      @Found long bytes,
      @Out(LONG) @Handle(value = MEMORY, life = CREATE) @Returned long made);

  /**
   * Makes an image whose memory is the frontend's too, as {@link OpenClMemory} has it for buffers.
   */
  @Call(233)
  @Takes(value = Resource.MEMORY, by = "ImageBytes", of = "context")
  @Custom("a call of our own")
  int outboardCreateSharedImage(
      @Handle(CONTEXT) long context,
      long flags,
      @In(struct = ImageFormat.class) long format,
      @In(struct = ImageDescription.class) long description,
      long size,
      @Out(LONG) @Handle(value = MEMORY, life = CREATE) @Returned long made);

  /** Lets the frontend at a box of such an image, as soon as its event is over. */
  @Call(234)
  @Takes(Resource.NOTHING)
  @Async
  @Custom("a call of our own")
  int outboardMapSharedImage(
      @Handle(QUEUE) long queue,
      @Handle(MEMORY) long image,
      long flags,
      @In(value = LONG, count = "3") long origin,
      @In(value = LONG, count = "3") long region,
      int waits,
      @In(value = LONG, count = "waits")
          @Handle(value = EVENT, invalid = OpenClResult.INVALID_EVENT_WAIT_LIST)
          long waitList,
      @Out(LONG) @Handle(value = EVENT, life = CREATE) long event);

  /** Makes an image of what has been brought, which is as large. */
  @Call(237)
  @Takes(value = Resource.MEMORY, by = "ImageBytes", of = "context")
  @Custom("a call of our own")
  int outboardCreateStagedImage(
      @Handle(CONTEXT) long context,
      @In(value = LONG, count = "count") long properties,
      int count,
      long flags,
      @In(struct = ImageFormat.class) long format,
      @In(struct = ImageDescription.class) long description,
      long size,
      long number,
      @Out(LONG) @Handle(value = MEMORY, life = CREATE) @Returned long made);

  /** Makes an image; the list of properties ends with 0. */
  @Call(71)
  @Takes(value = Resource.MEMORY, by = "ImageBytes", of = "context")
  @Custom("the length of the program's memory, which follows from the description")
  int clCreateImageWithProperties(
      @Handle(CONTEXT) long context,
      @In(value = LONG, count = "count") long properties,
      @Found int count,
      long flags,
      @In(struct = ImageFormat.class) long format,
      @In(struct = ImageDescription.class) long description,
      @In(bytes = "bytes") long hostPtr,
      @Found long bytes,
      @Out(LONG) @Handle(value = MEMORY, life = CREATE) @Returned long made);

  /** An image of two dimensions, as version 1.1 makes it. */
  @Local(
      prototype =
          "cl_mem clCreateImage2D(cl_context context, uint64_t flags, const cl_image_format"
              + " *format, size_t width, size_t height, size_t row_pitch, void *host_ptr, int"
              + " *errcode_ret)")
  default int clCreateImage2D(
      @Handle(CONTEXT) long context,
      long flags,
      long format,
      long width,
      long height,
      long rowPitch,
      long hostPtr,
      long made) {
    return OpenClResult.INVALID_OPERATION;
  }

  /** An image of three dimensions, as version 1.1 makes it. */
  @Local(
      prototype =
          "cl_mem clCreateImage3D(cl_context context, uint64_t flags, const cl_image_format"
              + " *format, size_t width, size_t height, size_t depth, size_t row_pitch, size_t"
              + " slice_pitch, void *host_ptr, int *errcode_ret)")
  default int clCreateImage3D(
      @Handle(CONTEXT) long context,
      long flags,
      long format,
      long width,
      long height,
      long depth,
      long rowPitch,
      long slicePitch,
      long hostPtr,
      long made) {
    return OpenClResult.INVALID_OPERATION;
  }

  /** The formats of images that a context can have. */
  @Call(72)
  int clGetSupportedImageFormats(
      @Handle(CONTEXT) long context,
      long flags,
      int imageType,
      int numEntries,
      @Out(struct = ImageFormat.class, count = "numEntries") long formats,
      @Out(INT) long numFormats);

  /** Answers a question about an image. */
  @Call(73)
  @Query
  int clGetImageInfo(
      @Handle(MEMORY) long image,
      int name,
      long size,
      @Out(bytes = "size") long value,
      @Out(LONG) @Within("value") long sizeRet);

  /** Makes a sampler. */
  @Call(74)
  int clCreateSampler(
      @Handle(CONTEXT) long context,
      int normalizedCoords,
      int addressingMode,
      int filterMode,
      @Out(LONG) @Handle(value = SAMPLER, life = CREATE) @Returned long made);

  /** Makes a sampler; the list of properties ends with 0. */
  @Call(75)
  int clCreateSamplerWithProperties(
      @Handle(CONTEXT) long context,
      @In(value = LONG, count = "count") long properties,
      @Found(pairs = "properties") int count,
      @Out(LONG) @Handle(value = SAMPLER, life = CREATE) @Returned long made);

  /** Counts one more owner. */
  @Local
  default int clRetainSampler(@Handle(value = SAMPLER, life = RETAIN) long sampler) {
    return OpenClResult.INVALID_OPERATION;
  }

  /** Ends a sampler with its last owner. */
  @Call(76)
  @Async
  int clReleaseSampler(@Handle(value = SAMPLER, life = RELEASE) long sampler);

  /** Answers a question about a sampler. */
  @Call(77)
  @Query(context = 0x1151, owners = 0x1150)
  int clGetSamplerInfo(
      @Handle(SAMPLER) long sampler,
      int name,
      long size,
      @Out(bytes = "size") long value,
      @Out(LONG) @Within("value") long sizeRet);
}
