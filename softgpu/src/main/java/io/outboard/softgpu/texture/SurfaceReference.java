// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.texture;

import io.outboard.softgpu.base.Handled;

/** A surface reference of a module, and the array that the program has bound to it. */
public final class SurfaceReference extends Handled {
  private volatile DeviceArray array;

  /** The array, or null. */
  public DeviceArray array() {
    return array;
  }

  /** Binds an array; false where surfaces cannot use it. */
  public boolean bind(DeviceArray bound) {
    boolean possible = bound.shape().isForSurfaces();
    array = possible ? bound : array;
    return possible;
  }
}
