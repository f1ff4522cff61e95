// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.texture;

import io.outboard.softgpu.profile.DeviceAttribute;
import io.outboard.softgpu.profile.DeviceProfile;

/** How large arrays of a device can be; the limits are its attributes. */
record ArrayLimits(DeviceProfile profile, int dimensions, boolean layered) {
  /** Whether an array of these extents is possible. */
  boolean hold(long width, long height, long depth) {
    return fits(width, widest()) && fits(height, highest()) && fits(depth, deepest());
  }

  private boolean fits(long extent, int attribute) {
    long most = attribute == 0 ? 0 : profile.attribute(attribute);
    return extent >= 0 && extent <= most;
  }

  private int widest() {
    return switch (dimensions) {
      case 1 ->
          layered
              ? DeviceAttribute.MAX_TEXTURE_1D_LAYERED_WIDTH
              : DeviceAttribute.MAX_TEXTURE_1D_WIDTH;
      case 2 ->
          layered
              ? DeviceAttribute.MAX_TEXTURE_2D_LAYERED_WIDTH
              : DeviceAttribute.MAX_TEXTURE_2D_WIDTH;
      default -> DeviceAttribute.MAX_TEXTURE_3D_WIDTH;
    };
  }

  private int highest() {
    return switch (dimensions) {
      case 1 -> 0;
      case 2 ->
          layered
              ? DeviceAttribute.MAX_TEXTURE_2D_LAYERED_HEIGHT
              : DeviceAttribute.MAX_TEXTURE_2D_HEIGHT;
      default -> DeviceAttribute.MAX_TEXTURE_3D_HEIGHT;
    };
  }

  private int deepest() {
    if (layered) {
      return dimensions == 1
          ? DeviceAttribute.MAX_TEXTURE_1D_LAYERED_LAYERS
          : DeviceAttribute.MAX_TEXTURE_2D_LAYERED_LAYERS;
    }
    return dimensions == 3 ? DeviceAttribute.MAX_TEXTURE_3D_DEPTH : 0;
  }
}
