// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

import io.outboard.ptx.host.PtxImage;

/** An array, or a level of one of several levels. */
final class DeviceArray extends Handled {
  private final Context context;
  private final ArrayShape shape;
  private final Allocation memory;
  private final boolean level;

  private DeviceArray(Context context, ArrayShape shape, Allocation memory, boolean level) {
    this.context = context;
    this.shape = shape;
    this.memory = memory;
    this.level = level;
  }

  /** Makes one that holds zeros; null when there is no room. */
  static DeviceArray make(Context context, ArrayShape shape, boolean level) {
    Allocation memory =
        context.device().memory().allocate(shape.bytes(), context, Allocation.Kind.ARRAY);
    return memory == null ? null : new DeviceArray(context, shape, memory, level);
  }

  Context context() {
    return context;
  }

  ArrayShape shape() {
    return shape;
  }

  /** Whether it belongs to another array, with which it ends. */
  boolean isLevel() {
    return level;
  }

  PtxImage image() {
    return shape.at(memory.address());
  }

  /** The address in this process of the first texel. */
  long process() {
    return context.device().memory().process(memory.address());
  }

  /** Ends the handle and frees the memory; no work uses it any more. */
  boolean end() {
    return context.disown(this) && context.device().memory().release(memory);
  }
}
