// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease;

/**
 * The place of a device on a GPU that is cut into MIG instances (NVIDIA MIG User Guide).
 *
 * @param profile how much of it, as {@code 1g.18gb}
 * @param parent the GPU's UUID, {@code GPU-…}
 * @param gpu the GPU's number among the host's
 * @param index its own among that GPU's, from 0
 * @param gpuInstance the id of the GPU instance
 * @param computeInstance the id of the compute instance in that
 */
public record Slice(
    String profile, String parent, int gpu, int index, int gpuInstance, int computeInstance) {
  /** Its name without its UUID, as container runtimes know it: GPU and place. */
  public String place() {
    return gpu + ":" + index;
  }
}
