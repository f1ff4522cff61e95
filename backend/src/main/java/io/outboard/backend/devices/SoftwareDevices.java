// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.devices;

import io.outboard.backend.library.HeldDevices;
import io.outboard.softgpu.SoftGpu;
import java.io.IOException;
import java.nio.file.Path;

/** A session's state on software GPUs: put aside in a file. */
public final class SoftwareDevices implements HeldDevices {
  private final SoftGpu gpu;
  private final Path folder;
  private SoftGpu.PutAside aside;

  public SoftwareDevices(SoftGpu gpu) {
    this.gpu = gpu;
    this.folder = Path.of(System.getProperty("java.io.tmpdir"));
  }

  @Override
  public boolean isWorking() {
    return gpu.isWorking();
  }

  @Override
  public long bytes() {
    return gpu.heldBytes();
  }

  @Override
  public void putAside() throws IOException {
    aside = gpu.putAside(folder);
  }

  @Override
  public void bringBack() throws IOException {
    aside.bringBack();
    aside = null;
  }
}
