// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.graphics;

import static io.outboard.cuda.CudaResult.ALREADY_MAPPED;
import static io.outboard.cuda.CudaResult.INVALID_GRAPHICS_CONTEXT;
import static io.outboard.cuda.CudaResult.INVALID_HANDLE;
import static io.outboard.cuda.CudaResult.INVALID_VALUE;
import static io.outboard.cuda.CudaResult.NOT_MAPPED;
import static io.outboard.cuda.CudaResult.NOT_SUPPORTED;
import static io.outboard.cuda.CudaResult.SUCCESS;

import io.outboard.backend.gl.SessionGl;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaDriverForwarding;
import io.outboard.gl.vendor.GlObjects;
import io.outboard.wire.Native;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToIntFunction;

/**
 * Buffers and textures for a driver without OpenGL, by copies: a resource has memory of its own on
 * the device, which has OpenGL's bytes once it is mapped, and is copied back when it is unmapped.
 */
public final class CopiedGraphics extends CudaDriverForwarding {
  private static final int TEXTURE_2D = 0x0DE1;

  /** All of {@code CU_GRAPHICS_REGISTER_FLAGS_…}. */
  private static final int REGISTER_FLAGS = 15;

  private final SessionGl gl;
  private final Map<Long, CopiedObject> resources = new ConcurrentHashMap<>();
  private final AtomicLong last = new AtomicLong();

  /** Adds a session's OpenGL to a driver. */
  public CopiedGraphics(CudaDriver delegate, SessionGl gl) {
    super(delegate);
    this.gl = gl;
  }

  @Override
  public int cuGraphicsGLRegisterBuffer(long resource, int buffer, int flags) {
    return register(resource, flags, objects -> CopiedBuffer.of(delegate, objects, buffer));
  }

  @Override
  public int cuGraphicsGLRegisterImage(long resource, int image, int target, int flags) {
    return target == TEXTURE_2D
        ? register(resource, flags, objects -> CopiedTexture.of(delegate, objects, image))
        : NOT_SUPPORTED;
  }

  private interface Found {
    Optional<? extends CopiedObject> in(GlObjects objects);
  }

  private int register(long resource, int flags, Found found) {
    if ((flags & ~REGISTER_FLAGS) != 0) {
      return INVALID_VALUE;
    }
    Optional<GlObjects> objects = gl.current();
    if (objects.isEmpty()) {
      return INVALID_GRAPHICS_CONTEXT;
    }
    Optional<? extends CopiedObject> object = found.in(objects.get());
    if (object.isEmpty()) {
      return INVALID_VALUE;
    }
    object.get().use(flags);
    long value = last.incrementAndGet();
    resources.put(value, object.get());
    Native.putLong(resource, value);
    return SUCCESS;
  }

  @Override
  public int cuGraphicsUnregisterResource(long resource) {
    CopiedObject ended = resources.remove(resource);
    return ended == null ? INVALID_HANDLE : ended.end();
  }

  @Override
  public int cuGraphicsResourceSetMapFlags_v2(long resource, int flags) {
    return with(resource, object -> object.isMapped() ? ALREADY_MAPPED : object.use(flags));
  }

  @Override
  public int cuGraphicsMapResources(int count, long list, long stream) {
    return each(
        count, list, object -> object.isMapped() ? ALREADY_MAPPED : SUCCESS, CopiedObject::map);
  }

  /** The stream's work is over before OpenGL has what it has written. */
  @Override
  public int cuGraphicsUnmapResources(int count, long list, long stream) {
    int result = delegate.cuStreamSynchronize(stream);
    return result != SUCCESS
        ? result
        : each(
            count, list, object -> object.isMapped() ? SUCCESS : NOT_MAPPED, CopiedObject::unmap);
  }

  /** Does something with all of a list, or with none where one of them is not fit for it. */
  private int each(
      int count, long list, ToIntFunction<CopiedObject> fit, ToIntFunction<CopiedObject> work) {
    if (count == 0) {
      return INVALID_VALUE;
    }
    if (gl.current().isEmpty()) {
      return INVALID_GRAPHICS_CONTEXT;
    }
    int result = SUCCESS;
    for (int i = 0; i < count && result == SUCCESS; i++) {
      result = with(Native.getLong(list + (long) i * Long.BYTES), fit);
    }
    for (int i = 0; i < count && result == SUCCESS; i++) {
      result = with(Native.getLong(list + (long) i * Long.BYTES), work);
    }
    return result;
  }

  @Override
  public int cuGraphicsResourceGetMappedPointer_v2(long pointer, long bytes, long resource) {
    return with(resource, object -> object.pointer(pointer, bytes));
  }

  @Override
  public int cuGraphicsSubResourceGetMappedArray(long array, long resource, int index, int level) {
    return with(resource, object -> object.array(array, index, level));
  }

  private int with(long resource, ToIntFunction<CopiedObject> work) {
    CopiedObject object = resources.get(resource);
    return object == null ? INVALID_HANDLE : work.applyAsInt(object);
  }
}
