// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.memory;

/** What device memory may end with, such as a context. */
public interface MemoryOwner {
  /** Waits for all of its work, which may use the memory. */
  void awaitWork();
}
