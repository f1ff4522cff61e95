// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.module;

import io.outboard.cuda.CudaResult;
import io.outboard.ptx.PtxModule;
import io.outboard.ptx.host.PtxException;
import io.outboard.softgpu.device.Machine;
import io.outboard.softgpu.image.ImageException;
import io.outboard.softgpu.image.Images;
import io.outboard.wire.Native;
import java.util.function.Consumer;

/** Turns images into compiled code, and says why where it cannot. */
public final class ModuleLoader {
  private final Consumer<String> people;
  private final int architecture;

  public ModuleLoader(Machine machine) {
    this(machine, machine.console()::message);
  }

  /** {@code people} are told why an image is not usable. */
  public ModuleLoader(Machine machine, Consumer<String> people) {
    this.people = people;
    this.architecture = machine.device(0).profile().architecture();
  }

  /**
   * The PTX text of an image at an address of this process.
   *
   * @throws ImageException if there is none; people have been told
   */
  public String text(long image, long bytes) throws ImageException {
    try {
      return Images.ptx(Native.MEMORY.asSlice(image, bytes), architecture);
    } catch (ImageException unusable) {
      people.accept(unusable.getMessage());
      throw unusable;
    }
  }

  /**
   * Compiles a PTX text.
   *
   * @throws ImageException if it is wrong; people have been told
   */
  public PtxModule compile(String text) throws ImageException {
    try {
      return PtxModule.parse(text);
    } catch (PtxException wrong) {
      people.accept("PTX " + wrong.getMessage());
      throw new ImageException(CudaResult.INVALID_PTX, wrong.getMessage());
    }
  }
}
