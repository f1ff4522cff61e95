// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

/** Frees memory in its turn. */
final class FreeOperation extends Operation {
  private final DeviceMemory memory;
  private final Allocation allocation;

  FreeOperation(DeviceMemory memory, Allocation allocation) {
    this.memory = memory;
    this.allocation = allocation;
  }

  @Override
  boolean always() {
    return true;
  }

  @Override
  void perform(Context context) {
    memory.release(allocation);
  }
}
