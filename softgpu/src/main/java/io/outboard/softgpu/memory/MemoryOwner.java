// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.memory;

/** An owner with which device memory may end, such as a context. */
public interface MemoryOwner {
  /** Waits for all of its work, which may use the memory. */
  void awaitWork();
}
