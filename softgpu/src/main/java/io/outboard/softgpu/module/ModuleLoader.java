// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.module;

import io.outboard.cuda.CudaResult;
import io.outboard.ptx.PtxModule;
import io.outboard.ptx.host.PtxException;
import io.outboard.softgpu.base.DeviceConsole;
import io.outboard.softgpu.device.Machine;
import io.outboard.softgpu.image.ImageException;
import io.outboard.softgpu.image.Images;
import io.outboard.wire.Native;

/** Turns images into compiled code, and says why where it cannot. */
public final class ModuleLoader {
  private final DeviceConsole console;
  private final int architecture;

  public ModuleLoader(Machine machine) {
    this.console = machine.console();
    this.architecture = machine.device(0).profile().architecture();
  }

  /**
   * The PTX text of an image at an address of this process.
   *
   * @throws ImageException if there is none; the console has been told
   */
  public String text(long image, long bytes) throws ImageException {
    try {
      return Images.ptx(Native.MEMORY.asSlice(image, bytes), architecture);
    } catch (ImageException unusable) {
      console.message(unusable.getMessage());
      throw unusable;
    }
  }

  /**
   * Compiles a PTX text.
   *
   * @throws ImageException if it is wrong; the console has been told
   */
  public PtxModule compile(String text) throws ImageException {
    try {
      return PtxModule.parse(text);
    } catch (PtxException wrong) {
      console.message("PTX " + wrong.getMessage());
      throw new ImageException(CudaResult.INVALID_PTX, wrong.getMessage());
    }
  }
}
