// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.texture;

import io.outboard.ptx.host.PtxImage;
import io.outboard.softgpu.base.Handled;
import io.outboard.softgpu.device.Context;

/** A surface object, with the description that it was made of. */
public final class SurfaceObject extends Handled {
  private final Context context;
  private final PtxImage image;
  private final byte[] resource;

  public SurfaceObject(Context context, PtxImage image, byte[] resource) {
    this.context = context;
    this.image = image;
    this.resource = resource;
  }

  public Context context() {
    return context;
  }

  public PtxImage image() {
    return image;
  }

  public byte[] resource() {
    return resource;
  }
}
