// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.model;

import io.outboard.spec.Resource;
import java.util.Optional;

/**
 * What a call takes of a device; see {@link io.outboard.spec.Takes}.
 *
 * @param resource which of it
 * @param bytes how much memory; empty where it takes none, or a class says it
 * @param by the class that says it, or empty
 * @param of the parameter that says which devices, or empty
 * @param at the output with the address, or empty
 * @param ends the parameter whose memory it gives back, or empty
 * @param decorated whether a decorator counts it
 */
public record Taking(
    Resource resource,
    Optional<Expression> bytes,
    String by,
    String of,
    String at,
    String ends,
    boolean decorated) {
  /** Whether the dispatcher asks for memory. */
  public boolean takesMemory() {
    return resource == Resource.MEMORY && !decorated && ends.isEmpty();
  }

  /** Whether the dispatcher has it wait for the lease's time slice. */
  public boolean waits() {
    return !decorated && (resource == Resource.COMPUTE || resource == Resource.GRAPHICS);
  }

  /** Whether the dispatcher counts memory that it gives back. */
  public boolean givesBack() {
    return !ends.isEmpty();
  }

  /** Whether the dispatcher asks whether it may. */
  public boolean profiles() {
    return !decorated && resource == Resource.PROFILING;
  }
}
