// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

/** What device memory may end with, such as a context. */
interface MemoryOwner {
  /** Waits for all of its work, which may use the memory. */
  void awaitWork();
}
