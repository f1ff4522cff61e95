// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda.struct;

import static io.outboard.cuda.CudaKinds.ARRAY;
import static io.outboard.cuda.CudaKinds.MIPMAPPED_ARRAY;

import io.outboard.spec.Handle;
import io.outboard.spec.Struct;
import io.outboard.spec.Union;

/**
 * The resource of a texture or surface object.
 *
 * @param type 0: an array, 1: one of several levels, 2: linear memory, 3: memory of two dimensions
 * @param resource the resource
 * @param flags 0
 */
@Struct("CUDA_RESOURCE_DESC")
public record ResourceDescription(
    int type, @Union(tag = "type", size = 128) Resource resource, int flags) {
  /** The resources that hold a handle; memory is plain bytes. */
  public sealed interface Resource {}

  /**
   * An array.
   *
   * @param array the array
   */
  @Struct("ob_resource_array")
  @Union.Case(0)
  public record OfArray(@Handle(ARRAY) long array) implements Resource {}

  /**
   * An array of several levels.
   *
   * @param array the array
   */
  @Struct("ob_resource_mipmapped")
  @Union.Case(1)
  public record OfMipmapped(@Handle(MIPMAPPED_ARRAY) long array) implements Resource {}
}
