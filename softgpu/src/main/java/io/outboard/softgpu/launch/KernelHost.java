// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.launch;

import io.outboard.cuda.CudaResult;
import io.outboard.ptx.host.PtxHost;
import io.outboard.ptx.host.PtxImage;
import io.outboard.ptx.host.PtxTexture;
import io.outboard.softgpu.device.Condition;
import io.outboard.softgpu.device.Context;
import io.outboard.softgpu.texture.SurfaceObject;
import io.outboard.softgpu.texture.TextureObject;
import java.util.concurrent.Executor;

/** The surroundings of a running kernel. */
final class KernelHost implements PtxHost {
  private final Context context;

  KernelHost(Context context) {
    this.context = context;
  }

  @Override
  public void print(String text) {
    context.machine().console().output(text);
  }

  @Override
  public Executor executor() {
    return context.machine().kernelThreads().executor();
  }

  @Override
  public int parallelism() {
    return context.machine().kernelThreads().count();
  }

  /** A kernel that goes wrong takes the others of its context with it. */
  @Override
  public boolean cancelled() {
    return context.error() != CudaResult.SUCCESS;
  }

  @Override
  public boolean condition(long number, int value) {
    Condition known = context.machine().conditions().get(number);
    if (known != null) {
      known.value(value);
    }
    return known != null;
  }

  @Override
  public PtxTexture texture(long object) {
    TextureObject known = context.named(object, TextureObject.class);
    return known == null ? null : known.texture();
  }

  @Override
  public PtxImage surface(long object) {
    SurfaceObject known = context.named(object, SurfaceObject.class);
    return known == null ? null : known.image();
  }
}
