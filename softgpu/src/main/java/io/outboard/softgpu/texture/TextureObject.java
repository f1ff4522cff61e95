// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.texture;

import io.outboard.ptx.host.PtxTexture;
import io.outboard.softgpu.base.Handled;
import io.outboard.softgpu.device.Context;

/** A texture object, with the descriptions that it was made of; they may be asked for. */
public final class TextureObject extends Handled {
  private final Context context;
  private final PtxTexture texture;
  private final byte[] resource;
  private final byte[] sampling;

  public TextureObject(Context context, PtxTexture texture, byte[] resource, byte[] sampling) {
    this.context = context;
    this.texture = texture;
    this.resource = resource;
    this.sampling = sampling;
  }

  public Context context() {
    return context;
  }

  public PtxTexture texture() {
    return texture;
  }

  public byte[] resource() {
    return resource;
  }

  public byte[] sampling() {
    return sampling;
  }
}
