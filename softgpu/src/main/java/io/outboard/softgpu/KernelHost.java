// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

import io.outboard.ptx.PtxHost;
import java.util.concurrent.Executor;

/** What a running kernel finds around it. */
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

  @Override
  public boolean cancelled() {
    return context.isEnding();
  }
}
