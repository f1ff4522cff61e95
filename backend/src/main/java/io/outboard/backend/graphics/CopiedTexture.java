// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.graphics;

import io.outboard.backend.system.NativeBuffer;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaResult;
import io.outboard.gl.vendor.GlObjects;
import io.outboard.gl.vendor.GlObjects.Texture;
import io.outboard.softgpu.texture.ArrayShape;
import io.outboard.wire.Native;
import java.util.Optional;

/** A texture of OpenGL of two dimensions, of which CUDA has level 0 as an array. */
final class CopiedTexture extends CopiedObject {
  /** {@code CUDA_ARRAY3D_SURFACE_LDST}. */
  private static final int SURFACE = 2;

  /** Of a {@code CUDA_ARRAY3D_DESCRIPTOR}. */
  private static final int DESCRIPTION_BYTES = 40;

  private final int texture;
  private final Texture form;
  private final TextureFormat format;
  private long array;

  private CopiedTexture(
      CudaDriver driver, GlObjects objects, int texture, Texture form, TextureFormat format) {
    super(driver, objects);
    this.texture = texture;
    this.form = form;
    this.format = format;
  }

  /** One whose format CUDA has too (CUDA Driver API, cuGraphicsGLRegisterImage). */
  static Optional<CopiedTexture> of(CudaDriver driver, GlObjects objects, int texture) {
    return objects
        .texture(texture)
        .flatMap(
            form ->
                TextureFormat.of(form.format())
                    .map(format -> new CopiedTexture(driver, objects, texture, form, format)));
  }

  private long bytes() {
    return rowBytes() * form.height();
  }

  private long rowBytes() {
    return (long) form.width() * format.bytes();
  }

  @Override
  int allocate() {
    if (!objects.texture(texture).equals(Optional.of(form))) {
      return CudaResult.MAP_FAILED;
    }
    array = array != 0 ? array : made(this::create);
    return array != 0 ? CudaResult.SUCCESS : CudaResult.MAP_FAILED;
  }

  private int create(long place) {
    try (NativeBuffer description = new NativeBuffer(DESCRIPTION_BYTES)) {
      long at = description.address();
      new ArrayShape(form.width(), form.height(), 0, format.array(), format.channels(), SURFACE)
          .write(at);
      return driver.cuArray3DCreate_v2(place, at);
    }
  }

  @Override
  int read() {
    try (NativeBuffer staged = new NativeBuffer(bytes())) {
      objects.readTexture(texture, format.pixels(), format.type(), staged.address(), bytes());
      return driver.outboardArrayWrite(
          array, 0, 0, 0, rowBytes(), form.height(), 1, staged.address(), bytes(), 0);
    }
  }

  @Override
  int write() {
    try (NativeBuffer staged = new NativeBuffer(bytes())) {
      int result =
          driver.outboardArrayRead(
              staged.address(), bytes(), array, 0, 0, 0, rowBytes(), form.height(), 1, 0);
      if (result == CudaResult.SUCCESS) {
        objects.writeTexture(
            texture, form, format.pixels(), format.type(), staged.address(), bytes());
      }
      return result;
    }
  }

  @Override
  int end() {
    return array == 0 ? CudaResult.SUCCESS : driver.cuArrayDestroy(array);
  }

  @Override
  int array(long place, int index, int level) {
    if (!isMapped()) {
      return CudaResult.NOT_MAPPED;
    }
    if (index != 0 || level != 0) {
      return CudaResult.INVALID_VALUE;
    }
    Native.putLong(place, array);
    return CudaResult.SUCCESS;
  }
}
