// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.graphics;

import io.outboard.backend.system.NativeBuffer;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaResult;
import io.outboard.gl.vendor.GlObjects;
import io.outboard.wire.Native;

/** An object of OpenGL whose bytes are copied to the device while CUDA has it. */
abstract class CopiedObject {
  /** {@code CU_GRAPHICS_REGISTER_FLAGS_…} and {@code CU_GRAPHICS_MAP_RESOURCE_FLAGS_…} alike. */
  private static final int READ_ONLY = 1;

  private static final int WRITE_DISCARD = 2;

  final CudaDriver driver;
  final GlObjects objects;
  private int flags;
  private boolean mapped;

  CopiedObject(CudaDriver driver, GlObjects objects) {
    this.driver = driver;
    this.objects = objects;
  }

  /** How it is used from the next mapping on. */
  final int use(int its) {
    flags = its;
    return CudaResult.SUCCESS;
  }

  final boolean isMapped() {
    return mapped;
  }

  /** Gives it to CUDA. */
  final int map() {
    int result = allocate();
    if (result == CudaResult.SUCCESS && (flags & WRITE_DISCARD) == 0) {
      result = read();
    }
    mapped = result == CudaResult.SUCCESS;
    return result;
  }

  /** Gives it back. */
  final int unmap() {
    mapped = false;
    return (flags & READ_ONLY) == 0 ? write() : CudaResult.SUCCESS;
  }

  /** Memory of the device for it, where it has none. */
  abstract int allocate();

  /** Copies OpenGL's bytes to the device. */
  abstract int read();

  /** Copies the device's bytes to OpenGL. */
  abstract int write();

  /** Gives the device's memory back. */
  abstract int end();

  /** Its address and its length. */
  int pointer(long pointer, long bytes) {
    return mapped ? CudaResult.NOT_MAPPED_AS_POINTER : CudaResult.NOT_MAPPED;
  }

  /** Its array. */
  int array(long array, int index, int level) {
    return mapped ? CudaResult.NOT_MAPPED_AS_ARRAY : CudaResult.NOT_MAPPED;
  }

  /** A result of the driver's, which writes what it makes. */
  interface Made {
    int by(long place);
  }

  /** The value that a call of the driver makes; 0 if it fails. */
  static long made(Made call) {
    try (NativeBuffer place = new NativeBuffer(Long.BYTES)) {
      return call.by(place.address()) == CudaResult.SUCCESS ? Native.getLong(place.address()) : 0;
    }
  }
}
