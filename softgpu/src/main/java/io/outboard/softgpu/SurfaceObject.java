// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

import io.outboard.ptx.host.PtxImage;

/** A surface object, with the description that it was made of. */
final class SurfaceObject extends Handled {
  private final Context context;
  private final PtxImage image;
  private final byte[] resource;

  SurfaceObject(Context context, PtxImage image, byte[] resource) {
    this.context = context;
    this.image = image;
    this.resource = resource;
  }

  Context context() {
    return context;
  }

  PtxImage image() {
    return image;
  }

  byte[] resource() {
    return resource;
  }
}
