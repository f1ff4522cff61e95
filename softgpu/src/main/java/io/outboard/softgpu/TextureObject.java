// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

import io.outboard.ptx.host.PtxTexture;

/** A texture object, with the descriptions that it was made of; they may be asked for. */
final class TextureObject extends Handled {
  private final Context context;
  private final PtxTexture texture;
  private final byte[] resource;
  private final byte[] sampling;

  TextureObject(Context context, PtxTexture texture, byte[] resource, byte[] sampling) {
    this.context = context;
    this.texture = texture;
    this.resource = resource;
    this.sampling = sampling;
  }

  Context context() {
    return context;
  }

  PtxTexture texture() {
    return texture;
  }

  byte[] resource() {
    return resource;
  }

  byte[] sampling() {
    return sampling;
  }
}
