// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda;

import static io.outboard.cuda.CudaKinds.ARRAY;
import static io.outboard.cuda.CudaKinds.FUNCTION;
import static io.outboard.cuda.CudaKinds.KERNEL;
import static io.outboard.cuda.CudaKinds.MIPMAPPED_ARRAY;
import static io.outboard.cuda.CudaKinds.MODULE;
import static io.outboard.cuda.CudaKinds.SURFACE_REFERENCE;
import static io.outboard.cuda.CudaKinds.TEXTURE_REFERENCE;
import static io.outboard.spec.Scalar.FLOAT;
import static io.outboard.spec.Scalar.INT;
import static io.outboard.spec.Scalar.LONG;

import io.outboard.cuda.struct.ArrayDescription;
import io.outboard.cuda.struct.OlderArrayDescription;
import io.outboard.spec.CString;
import io.outboard.spec.Call;
import io.outboard.spec.DevicePointer;
import io.outboard.spec.Handle;
import io.outboard.spec.Handle.Life;
import io.outboard.spec.In;
import io.outboard.spec.Out;
import io.outboard.spec.Same;

/**
 * Textures and surfaces that modules name, as programs of CUDA 11 and before have them; CUDA Driver
 * API, sections 6.28 and 6.30, deprecated by the vendor for objects. A driver that still has them
 * serves them. The software GPU serves those that a program makes; its kernels read through objects
 * only, and so it has none of modules.
 */
public interface CudaTextureReferences {

  /** Finds a texture reference of a module by name. */
  @Call(600)
  default int cuModuleGetTexRef(
      @Out(LONG) @Handle(value = TEXTURE_REFERENCE, parent = "module") long reference,
      @Handle(MODULE) long module,
      @CString long name) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Makes a texture reference that no module names. */
  @Call(601)
  default int cuTexRefCreate(
      @Out(LONG) @Handle(value = TEXTURE_REFERENCE, life = Life.CREATE) long reference) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Ends such a texture reference. */
  @Call(602)
  default int cuTexRefDestroy(
      @Handle(value = TEXTURE_REFERENCE, life = Life.DESTROY) long reference) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Has it read an array; the flags say whose format counts. */
  @Call(603)
  default int cuTexRefSetArray(
      @Handle(TEXTURE_REFERENCE) long reference, @Handle(ARRAY) long array, int flags) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Has it read an array of several levels. */
  @Call(604)
  default int cuTexRefSetMipmappedArray(
      @Handle(TEXTURE_REFERENCE) long reference, @Handle(MIPMAPPED_ARRAY) long array, int flags) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Has it read memory; {@code offset} is what the address is beyond the alignment of textures. */
  @Call(605)
  default int cuTexRefSetAddress_v2(
      @Out(LONG) long offset,
      @Handle(TEXTURE_REFERENCE) long reference,
      @DevicePointer long pointer,
      long bytes) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Has it read rows in memory. */
  @Call(606)
  default int cuTexRefSetAddress2D_v3(
      @Handle(TEXTURE_REFERENCE) long reference,
      @In(struct = ArrayDescription.class) long description,
      @DevicePointer long pointer,
      long pitch) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Sets the format of what it reads, and the values of an element. */
  @Call(607)
  default int cuTexRefSetFormat(
      @Handle(TEXTURE_REFERENCE) long reference, int format, int channels) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Sets what lies beyond an edge ({@code CUaddress_mode}). */
  @Call(608)
  default int cuTexRefSetAddressMode(
      @Handle(TEXTURE_REFERENCE) long reference, int dimension, int mode) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Sets how it reads between elements ({@code CUfilter_mode}). */
  @Call(609)
  default int cuTexRefSetFilterMode(@Handle(TEXTURE_REFERENCE) long reference, int mode) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Sets how it reads between levels. */
  @Call(610)
  default int cuTexRefSetMipmapFilterMode(@Handle(TEXTURE_REFERENCE) long reference, int mode) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Sets what is added to the level. */
  @Call(611)
  default int cuTexRefSetMipmapLevelBias(@Handle(TEXTURE_REFERENCE) long reference, float bias) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Sets the levels between which it reads. */
  @Call(612)
  default int cuTexRefSetMipmapLevelClamp(
      @Handle(TEXTURE_REFERENCE) long reference, float least, float most) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Sets the highest anisotropy. */
  @Call(613)
  default int cuTexRefSetMaxAnisotropy(@Handle(TEXTURE_REFERENCE) long reference, int most) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Sets the colour beyond an edge, four numbers. */
  @Call(614)
  default int cuTexRefSetBorderColor(
      @Handle(TEXTURE_REFERENCE) long reference, @In(value = FLOAT, count = "4") long color) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Sets {@code CU_TRSF_…}. */
  @Call(615)
  default int cuTexRefSetFlags(@Handle(TEXTURE_REFERENCE) long reference, int flags) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** The memory that it reads. */
  @Call(616)
  default int cuTexRefGetAddress_v2(
      @Out(LONG) @DevicePointer long pointer, @Handle(TEXTURE_REFERENCE) long reference) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** The array that it reads. */
  @Call(617)
  default int cuTexRefGetArray(
      @Out(LONG) @Handle(ARRAY) long array, @Handle(TEXTURE_REFERENCE) long reference) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** The array of several levels that it reads. */
  @Call(618)
  default int cuTexRefGetMipmappedArray(
      @Out(LONG) @Handle(MIPMAPPED_ARRAY) long array, @Handle(TEXTURE_REFERENCE) long reference) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** The mode of reading beyond an edge. */
  @Call(619)
  default int cuTexRefGetAddressMode(
      @Out(INT) long mode, @Handle(TEXTURE_REFERENCE) long reference, int dimension) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** How it reads between elements. */
  @Call(620)
  default int cuTexRefGetFilterMode(
      @Out(INT) long mode, @Handle(TEXTURE_REFERENCE) long reference) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** The format of what it reads, and the values of an element. */
  @Call(621)
  default int cuTexRefGetFormat(
      @Out(INT) long format, @Out(INT) long channels, @Handle(TEXTURE_REFERENCE) long reference) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** How it reads between levels. */
  @Call(622)
  default int cuTexRefGetMipmapFilterMode(
      @Out(INT) long mode, @Handle(TEXTURE_REFERENCE) long reference) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** The bias that is added to the level. */
  @Call(623)
  default int cuTexRefGetMipmapLevelBias(
      @Out(FLOAT) long bias, @Handle(TEXTURE_REFERENCE) long reference) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** The levels between which it reads. */
  @Call(624)
  default int cuTexRefGetMipmapLevelClamp(
      @Out(FLOAT) long least, @Out(FLOAT) long most, @Handle(TEXTURE_REFERENCE) long reference) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** The highest anisotropy. */
  @Call(625)
  default int cuTexRefGetMaxAnisotropy(
      @Out(INT) long most, @Handle(TEXTURE_REFERENCE) long reference) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** The colour beyond an edge. */
  @Call(626)
  default int cuTexRefGetBorderColor(
      @Out(value = FLOAT, count = "4") long color, @Handle(TEXTURE_REFERENCE) long reference) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** {@code CU_TRSF_…}. */
  @Call(627)
  default int cuTexRefGetFlags(@Out(INT) long flags, @Handle(TEXTURE_REFERENCE) long reference) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Gives a function a texture reference; the unit is −1. */
  @Call(628)
  default int cuParamSetTexRef(
      @Handle({FUNCTION, KERNEL}) long function,
      int unit,
      @Handle(TEXTURE_REFERENCE) long reference) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Finds a surface reference of a module by name. */
  @Call(629)
  default int cuModuleGetSurfRef(
      @Out(LONG) @Handle(value = SURFACE_REFERENCE, parent = "module") long reference,
      @Handle(MODULE) long module,
      @CString long name) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Has a surface reference read and write an array. */
  @Call(630)
  default int cuSurfRefSetArray(
      @Handle(SURFACE_REFERENCE) long reference, @Handle(ARRAY) long array, int flags) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** The array of a surface reference. */
  @Call(631)
  default int cuSurfRefGetArray(
      @Out(LONG) @Handle(ARRAY) long array, @Handle(SURFACE_REFERENCE) long reference) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As {@link #cuTexRefSetAddress_v2}, in its older form. */
  @Same(as = "cuTexRefSetAddress_v2")
  default int cuTexRefSetAddress(
      @Out(INT) long offset, @Handle(TEXTURE_REFERENCE) long reference, int pointer, int bytes) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As {@link #cuTexRefGetAddress_v2}, in its older form. */
  @Same(as = "cuTexRefGetAddress_v2")
  default int cuTexRefGetAddress(
      @Out(INT) long pointer, @Handle(TEXTURE_REFERENCE) long reference) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As {@link #cuTexRefSetAddress2D_v3}, in its older form. */
  @Same(as = "cuTexRefSetAddress2D_v3")
  default int cuTexRefSetAddress2D_v2(
      @Handle(TEXTURE_REFERENCE) long reference,
      @In(struct = ArrayDescription.class) long description,
      @DevicePointer long pointer,
      long pitch) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As {@link #cuTexRefSetAddress2D_v3}, in its older form. */
  @Same(as = "cuTexRefSetAddress2D_v3")
  default int cuTexRefSetAddress2D(
      @Handle(TEXTURE_REFERENCE) long reference,
      @In(struct = OlderArrayDescription.class) long description,
      int pointer,
      int pitch) {
    return CudaResult.NOT_SUPPORTED;
  }
}
