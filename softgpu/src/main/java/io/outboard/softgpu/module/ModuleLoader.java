// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.module;

import io.outboard.cuda.CudaResult;
import io.outboard.ptx.PtxModule;
import io.outboard.ptx.host.PtxException;
import io.outboard.softgpu.device.Machine;
import io.outboard.softgpu.image.ImageException;
import io.outboard.softgpu.image.Images;
import io.outboard.wire.Native;
import java.math.BigInteger;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Turns images into compiled code, and says why where it cannot. */
public final class ModuleLoader {
  // PTX ISA, release notes: what came with CUDA 13.0, the driver that this GPU has.
  private static final int NEWEST_VERSION = 9;
  private static final Pattern VERSION = Pattern.compile("(?m)^\\s*\\.version\\s+(\\d+)\\.(\\d+)");
  private static final Pattern TARGET = Pattern.compile("sm_(\\d+).*");

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
    requireKnownVersion(text);
    try {
      PtxModule module = PtxModule.parse(text);
      requireDevice(module.target());
      return module;
    } catch (PtxException wrong) {
      throw refused(CudaResult.INVALID_PTX, wrong.getMessage());
    }
  }

  /** Whatever else is in a text of a later version may be unknown, too. */
  private void requireKnownVersion(String text) throws ImageException {
    Matcher version = VERSION.matcher(text);
    if (version.find() && isLater(version.group(1), version.group(2))) {
      throw refused(
          CudaResult.UNSUPPORTED_PTX_VERSION,
          "is of version %s.%s, and %d.0 is the newest that is known"
              .formatted(version.group(1), version.group(2), NEWEST_VERSION));
    }
  }

  private static boolean isLater(String major, String minor) {
    BigInteger of = new BigInteger(major);
    int order = of.compareTo(BigInteger.valueOf(NEWEST_VERSION));
    return order > 0 || (order == 0 && new BigInteger(minor).signum() > 0);
  }

  /** PTX ISA, ".target": code for a later architecture does not run on an earlier one. */
  private void requireDevice(String target) throws ImageException {
    Matcher number = TARGET.matcher(target);
    if (number.matches()
        && new BigInteger(number.group(1)).compareTo(BigInteger.valueOf(architecture)) > 0) {
      throw refused(
          CudaResult.INVALID_PTX,
          "is for %s, and this device is sm_%d".formatted(target, architecture));
    }
  }

  private ImageException refused(int result, String why) {
    people.accept("PTX " + why);
    return new ImageException(result, why);
  }
}
