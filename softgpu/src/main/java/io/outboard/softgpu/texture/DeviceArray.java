// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.texture;

import io.outboard.ptx.host.PtxImage;
import io.outboard.softgpu.base.Handled;
import io.outboard.softgpu.device.Context;
import io.outboard.softgpu.memory.Allocation;

/** An array, or a level of one of several levels. */
public final class DeviceArray extends Handled {
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
  public static DeviceArray make(Context context, ArrayShape shape, boolean level) {
    Allocation memory =
        context.device().memory().allocate(shape.bytes(), context, Allocation.Kind.ARRAY);
    return memory == null ? null : new DeviceArray(context, shape, memory, level);
  }

  Context context() {
    return context;
  }

  public ArrayShape shape() {
    return shape;
  }

  /** Whether it belongs to another array, with which it ends. */
  public boolean isLevel() {
    return level;
  }

  public PtxImage image() {
    return shape.at(memory.address());
  }

  /** The address in this process of the first texel. */
  public long process() {
    return context.device().memory().process(memory.address());
  }

  /** Ends the handle and frees the memory; no work uses it any more. */
  public boolean end() {
    return context.disown(this) && context.device().memory().release(memory);
  }
}
