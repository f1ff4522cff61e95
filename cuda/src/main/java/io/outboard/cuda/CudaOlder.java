// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda;

import static io.outboard.cuda.CudaKinds.ARRAY;
import static io.outboard.cuda.CudaKinds.CONTEXT;
import static io.outboard.cuda.CudaKinds.FUNCTION;
import static io.outboard.cuda.CudaKinds.MODULE;
import static io.outboard.cuda.CudaKinds.STREAM;
import static io.outboard.spec.Scalar.INT;
import static io.outboard.spec.Scalar.LONG;

import io.outboard.cuda.struct.OlderArray3DDescription;
import io.outboard.cuda.struct.OlderArrayDescription;
import io.outboard.cuda.struct.OlderMemcpy2D;
import io.outboard.cuda.struct.OlderMemcpy3D;
import io.outboard.spec.CString;
import io.outboard.spec.Handle;
import io.outboard.spec.In;
import io.outboard.spec.Local;
import io.outboard.spec.Out;
import io.outboard.spec.Same;

/**
 * Forms of before CUDA 3.2, which have 32 bits for sizes and for addresses on the device. Programs
 * reach them by their names as exports, or by a version before 3020. A call that would have to
 * return an address above 4 GiB is refused; arrays, contexts, page-locked memory and all questions
 * work. Launches whose parameters are set one by one are of that time too.
 */
public interface CudaOlder {

  /** As cuDeviceTotalMem_v2, of 32 bits. */
  @Same(as = "cuDeviceTotalMem_v2")
  default int cuDeviceTotalMem(@Out(INT) long bytes, int ordinal) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As cuCtxCreate_v2; functions for addresses of 32 bits want a context that this has made. */
  @Local(prototype = "CUresult cuCtxCreate(CUcontext *context, int flags, int device)")
  default int cuCtxCreate(@Out(LONG) @Handle(CONTEXT) long context, int flags, int device) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As cuMemGetInfo_v2, of 32 bits. */
  @Same(as = "cuMemGetInfo_v2")
  default int cuMemGetInfo(@Out(INT) long free, @Out(INT) long total) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As cuMemAlloc_v2, of 32 bits. */
  @Same(as = "cuMemAlloc_v2", undo = "cuMemFree_v2")
  default int cuMemAlloc(@Out(INT) long pointer, int bytes) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As cuMemAllocPitch_v2, of 32 bits. */
  @Same(as = "cuMemAllocPitch_v2", undo = "cuMemFree_v2")
  default int cuMemAllocPitch(
      @Out(INT) long pointer, @Out(INT) long pitch, int width, int height, int elementBytes) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As cuMemFree_v2, of 32 bits. */
  @Same(as = "cuMemFree_v2")
  default int cuMemFree(int pointer) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As cuMemGetAddressRange_v2, of 32 bits. */
  @Same(as = "cuMemGetAddressRange_v2")
  default int cuMemGetAddressRange(@Out(INT) long base, @Out(INT) long bytes, int pointer) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As cuMemAllocHost_v2, of 32 bits. */
  @Same(
      as = "cuMemAllocHost_v2",
      prototype = "CUresult cuMemAllocHost(void **pointer, unsigned int bytes)")
  default int cuMemAllocHost(@Out(LONG) long pointer, int bytes) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As cuMemHostGetDevicePointer_v2, of 32 bits. */
  @Same(
      as = "cuMemHostGetDevicePointer_v2",
      prototype =
          "CUresult cuMemHostGetDevicePointer(int *device, void *pointer, unsigned int flags)")
  default int cuMemHostGetDevicePointer(@Out(INT) long device, long pointer, int flags) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As cuModuleGetGlobal_v2, of 32 bits. */
  @Same(as = "cuModuleGetGlobal_v2")
  default int cuModuleGetGlobal(
      @Out(INT) long pointer,
      @Out(INT) long bytes,
      @Handle(MODULE) long module,
      @CString long name) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As cuMemcpyHtoD_v2, of 32 bits. */
  @Same(as = "cuMemcpyHtoD_v2")
  default int cuMemcpyHtoD(int destination, @In(bytes = "bytes") long source, int bytes) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As cuMemcpyDtoH_v2, of 32 bits. */
  @Same(as = "cuMemcpyDtoH_v2")
  default int cuMemcpyDtoH(@Out(bytes = "bytes") long destination, int source, int bytes) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As cuMemcpyDtoD_v2, of 32 bits. */
  @Same(as = "cuMemcpyDtoD_v2")
  default int cuMemcpyDtoD(int destination, int source, int bytes) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As cuMemcpyHtoDAsync_v2, of 32 bits. */
  @Same(as = "cuMemcpyHtoDAsync_v2")
  default int cuMemcpyHtoDAsync(
      int destination, @In(bytes = "bytes") long source, int bytes, @Handle(STREAM) long stream) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As cuMemcpyDtoHAsync_v2, of 32 bits. */
  @Same(as = "cuMemcpyDtoHAsync_v2")
  default int cuMemcpyDtoHAsync(
      @Out(bytes = "bytes") long destination, int source, int bytes, @Handle(STREAM) long stream) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As cuMemcpyDtoDAsync_v2, of 32 bits. */
  @Same(as = "cuMemcpyDtoDAsync_v2")
  default int cuMemcpyDtoDAsync(
      int destination, int source, int bytes, @Handle(STREAM) long stream) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As cuMemcpyDtoA_v2, of 32 bits. */
  @Same(as = "cuMemcpyDtoA_v2")
  default int cuMemcpyDtoA(@Handle(ARRAY) long array, int offset, int source, int bytes) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As cuMemcpyAtoD_v2, of 32 bits. */
  @Same(as = "cuMemcpyAtoD_v2")
  default int cuMemcpyAtoD(int destination, @Handle(ARRAY) long array, int offset, int bytes) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As cuMemcpyHtoA_v2, of 32 bits. */
  @Same(as = "cuMemcpyHtoA_v2")
  default int cuMemcpyHtoA(
      @Handle(ARRAY) long array, int offset, @In(bytes = "bytes") long source, int bytes) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As cuMemcpyAtoH_v2, of 32 bits. */
  @Same(as = "cuMemcpyAtoH_v2")
  default int cuMemcpyAtoH(
      @Out(bytes = "bytes") long destination, @Handle(ARRAY) long array, int offset, int bytes) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As cuMemcpyAtoA_v2, of 32 bits. */
  @Same(as = "cuMemcpyAtoA_v2")
  default int cuMemcpyAtoA(
      @Handle(ARRAY) long destination,
      int destinationOffset,
      @Handle(ARRAY) long source,
      int sourceOffset,
      int bytes) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As cuMemcpyHtoAAsync_v2, of 32 bits. */
  @Same(as = "cuMemcpyHtoAAsync_v2")
  default int cuMemcpyHtoAAsync(
      @Handle(ARRAY) long array,
      int offset,
      @In(bytes = "bytes") long source,
      int bytes,
      @Handle(STREAM) long stream) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As cuMemcpyAtoHAsync_v2, of 32 bits. */
  @Same(as = "cuMemcpyAtoHAsync_v2")
  default int cuMemcpyAtoHAsync(
      @Out(bytes = "bytes") long destination,
      @Handle(ARRAY) long array,
      int offset,
      int bytes,
      @Handle(STREAM) long stream) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As cuMemsetD8_v2, of 32 bits. */
  @Same(as = "cuMemsetD8_v2")
  default int cuMemsetD8(int destination, byte value, int count) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As cuMemsetD16_v2, of 32 bits. */
  @Same(as = "cuMemsetD16_v2")
  default int cuMemsetD16(int destination, short value, int count) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As cuMemsetD32_v2, of 32 bits. */
  @Same(as = "cuMemsetD32_v2")
  default int cuMemsetD32(int destination, int value, int count) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As cuMemsetD2D8_v2, of 32 bits. */
  @Same(as = "cuMemsetD2D8_v2")
  default int cuMemsetD2D8(int destination, int pitch, byte value, int width, int height) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As cuMemsetD2D16_v2, of 32 bits. */
  @Same(as = "cuMemsetD2D16_v2")
  default int cuMemsetD2D16(int destination, int pitch, short value, int width, int height) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As cuMemsetD2D32_v2, of 32 bits. */
  @Same(as = "cuMemsetD2D32_v2")
  default int cuMemsetD2D32(int destination, int pitch, int value, int width, int height) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As cuMemcpy2D_v2, of 32 bits. */
  @Same(as = "cuMemcpy2D_v2")
  default int cuMemcpy2D(@In(struct = OlderMemcpy2D.class) long copy) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As cuMemcpy2DUnaligned_v2, of 32 bits. */
  @Same(as = "cuMemcpy2DUnaligned_v2")
  default int cuMemcpy2DUnaligned(@In(struct = OlderMemcpy2D.class) long copy) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As cuMemcpy2DAsync_v2, of 32 bits. */
  @Same(as = "cuMemcpy2DAsync_v2")
  default int cuMemcpy2DAsync(
      @In(struct = OlderMemcpy2D.class) long copy, @Handle(STREAM) long stream) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As cuMemcpy3D_v2, of 32 bits. */
  @Same(as = "cuMemcpy3D_v2")
  default int cuMemcpy3D(@In(struct = OlderMemcpy3D.class) long copy) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As cuMemcpy3DAsync_v2, of 32 bits. */
  @Same(as = "cuMemcpy3DAsync_v2")
  default int cuMemcpy3DAsync(
      @In(struct = OlderMemcpy3D.class) long copy, @Handle(STREAM) long stream) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As cuArrayCreate_v2, of 32 bits. */
  @Same(as = "cuArrayCreate_v2")
  default int cuArrayCreate(
      @Out(LONG) @Handle(ARRAY) long array,
      @In(struct = OlderArrayDescription.class) long description) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As cuArrayGetDescriptor_v2, of 32 bits. */
  @Same(as = "cuArrayGetDescriptor_v2")
  default int cuArrayGetDescriptor(
      @Out(struct = OlderArrayDescription.class) long description, @Handle(ARRAY) long array) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As cuArray3DCreate_v2, of 32 bits. */
  @Same(as = "cuArray3DCreate_v2")
  default int cuArray3DCreate(
      @Out(LONG) @Handle(ARRAY) long array,
      @In(struct = OlderArray3DDescription.class) long description) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As cuArray3DGetDescriptor_v2, of 32 bits. */
  @Same(as = "cuArray3DGetDescriptor_v2")
  default int cuArray3DGetDescriptor(
      @Out(struct = OlderArray3DDescription.class) long description, @Handle(ARRAY) long array) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Sets the block of the launches of a function by {@link #cuLaunchGrid}. */
  @Local(prototype = "CUresult cuFuncSetBlockShape(CUfunction function, int x, int y, int z)")
  default int cuFuncSetBlockShape(@Handle(FUNCTION) long function, int x, int y, int z) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Sets the dynamic shared memory of such launches. */
  @Local(prototype = "CUresult cuFuncSetSharedSize(CUfunction function, unsigned int bytes)")
  default int cuFuncSetSharedSize(@Handle(FUNCTION) long function, int bytes) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Sets the bytes that their parameters have. */
  @Local(prototype = "CUresult cuParamSetSize(CUfunction function, unsigned int bytes)")
  default int cuParamSetSize(@Handle(FUNCTION) long function, int bytes) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Sets an integer parameter at an offset. */
  @Local(prototype = "CUresult cuParamSeti(CUfunction function, int offset, unsigned int value)")
  default int cuParamSeti(@Handle(FUNCTION) long function, int offset, int value) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Sets a floating-point parameter at an offset. */
  @Local(prototype = "CUresult cuParamSetf(CUfunction function, int offset, float value)")
  default int cuParamSetf(@Handle(FUNCTION) long function, int offset, float value) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Sets parameters from an offset on. */
  @Local(
      prototype =
          "CUresult cuParamSetv(CUfunction function, int offset, void *from, unsigned int bytes)")
  default int cuParamSetv(
      @Handle(FUNCTION) long function, int offset, @In(bytes = "bytes") long from, int bytes) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Launches a function as it was set up, as one block. */
  @Local(prototype = "CUresult cuLaunch(CUfunction function)")
  default int cuLaunch(@Handle(FUNCTION) long function) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Launches a function as it was set up. */
  @Local(prototype = "CUresult cuLaunchGrid(CUfunction function, int width, int height)")
  default int cuLaunchGrid(@Handle(FUNCTION) long function, int width, int height) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As {@link #cuLaunchGrid}, in the order of a stream. */
  @Local(
      prototype =
          "CUresult cuLaunchGridAsync(CUfunction function, int width, int height, CUstream stream)")
  default int cuLaunchGridAsync(
      @Handle(FUNCTION) long function, int width, int height, @Handle(STREAM) long stream) {
    return CudaResult.NOT_SUPPORTED;
  }
}
