// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda;

import static io.outboard.cuda.CudaKinds.ARRAY;
import static io.outboard.cuda.CudaKinds.GRAPHICS;
import static io.outboard.cuda.CudaKinds.STREAM;
import static io.outboard.spec.Scalar.LONG;

import io.outboard.spec.Blocking;
import io.outboard.spec.Call;
import io.outboard.spec.DevicePointer;
import io.outboard.spec.Handle;
import io.outboard.spec.Handle.Life;
import io.outboard.spec.In;
import io.outboard.spec.Out;
import io.outboard.spec.Resource;
import io.outboard.spec.Takes;
import io.outboard.spec.Variants;

/**
 * Buffers and images that OpenGL and CUDA have in common; CUDA Driver API, sections "Graphics
 * Interoperability" and "OpenGL Interoperability". The calls are made on the thread on which the
 * OpenGL context of the calling thread is current.
 */
public interface CudaGraphics {
  /**
   * Registers a buffer.
   *
   * @param flags {@code CU_GRAPHICS_REGISTER_FLAGS_…}
   */
  @Call(650)
  @Takes(Resource.NOTHING)
  default int cuGraphicsGLRegisterBuffer(
      @Out(LONG) @Handle(value = GRAPHICS, life = Life.CREATE) long resource,
      int buffer,
      int flags) {
    return CudaResult.NOT_SUPPORTED;
  }

  /**
   * Registers a texture or a renderbuffer.
   *
   * @param target {@code GL_TEXTURE_2D} or another one, or {@code GL_RENDERBUFFER}
   * @param flags {@code CU_GRAPHICS_REGISTER_FLAGS_…}
   */
  @Call(651)
  @Takes(Resource.NOTHING)
  default int cuGraphicsGLRegisterImage(
      @Out(LONG) @Handle(value = GRAPHICS, life = Life.CREATE) long resource,
      int image,
      int target,
      int flags) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Ends a resource, which is not mapped. */
  @Call(652)
  @Blocking
  default int cuGraphicsUnregisterResource(
      @Handle(value = GRAPHICS, life = Life.DESTROY) long resource) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Gives resources to CUDA: work of the stream comes after all of OpenGL that went before. */
  @Call(653)
  @Blocking
  @Takes(Resource.NOTHING)
  @Variants("cuGraphicsMapResources_ptsz")
  default int cuGraphicsMapResources(
      int count,
      @In(value = LONG, count = "count") @Handle(GRAPHICS) long resources,
      @Handle(STREAM) long stream) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Gives them back: what OpenGL does with them comes after the stream's work. */
  @Call(654)
  @Blocking
  @Takes(Resource.NOTHING)
  @Variants("cuGraphicsUnmapResources_ptsz")
  default int cuGraphicsUnmapResources(
      int count,
      @In(value = LONG, count = "count") @Handle(GRAPHICS) long resources,
      @Handle(STREAM) long stream) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** The address of a mapped buffer, in device memory, and its length. */
  @Call(655)
  default int cuGraphicsResourceGetMappedPointer_v2(
      @Out(LONG) @DevicePointer long pointer,
      @Out(LONG) long bytes,
      @Handle(GRAPHICS) long resource) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** A layer and level of a mapped image. */
  @Call(656)
  default int cuGraphicsSubResourceGetMappedArray(
      @Out(LONG) @Handle(value = ARRAY, parent = "resource") long array,
      @Handle(GRAPHICS) long resource,
      int index,
      int level) {
    return CudaResult.NOT_SUPPORTED;
  }

  /**
   * The use of the next mappings.
   *
   * @param flags {@code CU_GRAPHICS_MAP_RESOURCE_FLAGS_…}
   */
  @Call(657)
  @Takes(Resource.NOTHING)
  @Variants("cuGraphicsResourceSetMapFlags")
  default int cuGraphicsResourceSetMapFlags_v2(@Handle(GRAPHICS) long resource, int flags) {
    return CudaResult.NOT_SUPPORTED;
  }
}
