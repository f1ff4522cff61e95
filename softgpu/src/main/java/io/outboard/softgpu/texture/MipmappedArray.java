// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.texture;

import io.outboard.ptx.host.PtxImage;
import io.outboard.softgpu.base.Handled;
import io.outboard.softgpu.device.Context;
import java.util.ArrayList;
import java.util.List;

/** An array of several levels, each of which is an array too. */
public final class MipmappedArray extends Handled {
  private final Context context;
  private final List<DeviceArray> levels;

  private MipmappedArray(Context context, List<DeviceArray> levels) {
    this.context = context;
    this.levels = levels;
  }

  /** Makes one with its handles; null when there is no room. */
  public static MipmappedArray make(Context context, ArrayShape shape, int count) {
    MipmappedArray made = new MipmappedArray(context, new ArrayList<>());
    boolean complete = context.adopt(made);
    for (int i = 0; i < count && complete; i++) {
      DeviceArray level = DeviceArray.make(context, shape.level(i), true);
      complete = level != null && context.adopt(level);
      if (level != null) {
        made.levels.add(level);
      }
    }
    if (complete) {
      return made;
    }
    boolean unused = made.end();
    return null;
  }

  Context context() {
    return context;
  }

  /** A level, or null. */
  public DeviceArray level(int index) {
    return index >= 0 && index < levels.size() ? levels.get(index) : null;
  }

  List<PtxImage> images() {
    return levels.stream().map(DeviceArray::image).toList();
  }

  /** Ends all handles and frees the memory; no work uses it any more. */
  public boolean end() {
    boolean ended = context.disown(this);
    for (DeviceArray level : levels) {
      ended &= level.end();
    }
    return ended;
  }
}
