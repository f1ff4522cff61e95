// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.doctor;

import io.outboard.softgpu.profile.DeviceProfile;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * A device that a program's code would run on.
 *
 * @param name for people
 * @param architecture 10 × major + minor of its compute capability
 * @param binaries whether it takes machine code, not PTX alone
 * @param version 10 × major + minor of the newest PTX ISA that its driver compiles
 */
public record CodeTarget(String name, int architecture, boolean binaries, int version) {
  private static final int ANY_VERSION = Integer.MAX_VALUE;

  /** PTX ISA, "Release History": by the version of CUDA, of its toolkit and its driver. */
  private static final NavigableMap<Integer, Integer> VERSIONS =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry(10000, 63),
              Map.entry(10010, 64),
              Map.entry(10020, 65),
              Map.entry(11000, 70),
              Map.entry(11010, 71),
              Map.entry(11020, 72),
              Map.entry(11030, 73),
              Map.entry(11040, 74),
              Map.entry(11050, 75),
              Map.entry(11060, 76),
              Map.entry(11070, 77),
              Map.entry(11080, 78),
              Map.entry(12000, 80),
              Map.entry(12010, 81),
              Map.entry(12020, 82),
              Map.entry(12030, 83),
              Map.entry(12040, 84),
              Map.entry(12050, 85),
              Map.entry(12070, 86),
              Map.entry(12080, 87),
              Map.entry(12090, 88),
              Map.entry(13000, 90)));

  /**
   * A device of a real driver.
   *
   * @param driver 1000 × major + 10 × minor of the CUDA that the driver is for; one that is newer
   *     than this list compiles any PTX that the list knows nothing of
   */
  public static CodeTarget real(String name, int architecture, int driver) {
    Map.Entry<Integer, Integer> known = VERSIONS.floorEntry(driver);
    boolean newer = known == null || driver >= VERSIONS.lastKey() + 10;
    return new CodeTarget(name, architecture, true, newer ? ANY_VERSION : known.getValue());
  }

  /** A device that takes PTX alone, whatever its version, as the software GPU does. */
  public static CodeTarget ofTexts(String name, int architecture) {
    return new CodeTarget(name, architecture, false, ANY_VERSION);
  }

  /** The software GPU of a backend that begins with the program. */
  public static CodeTarget software() {
    DeviceProfile profile = DeviceProfile.software(1);
    return ofTexts(profile.name(), profile.architecture());
  }

  /**
   * Whether the device runs it: CUDA C++ Programming Guide, "Binary Compatibility" and "PTX
   * Compatibility".
   */
  boolean runs(DeviceCode code) {
    return switch (code.kind()) {
      case DeviceCode.BINARY -> binaries && isOfMajor(code) && suits(code);
      case DeviceCode.PTX -> code.version() <= version && isForAny(code) && suits(code);
      default -> false;
    };
  }

  private boolean isForAny(DeviceCode code) {
    return binaries || !(code.specific() || code.family());
  }

  private boolean isOfMajor(DeviceCode code) {
    return code.architecture() / 10 == architecture / 10;
  }

  private boolean suits(DeviceCode code) {
    if (code.specific()) {
      return code.architecture() == architecture;
    }
    return code.architecture() <= architecture && (!code.family() || isOfMajor(code));
  }

  /** Names the target and the code that it takes. */
  String text() {
    String capability =
        "%s, compute capability %d.%d".formatted(name, architecture / 10, architecture % 10);
    if (!binaries) {
      return capability + ", which takes PTX alone";
    }
    return version == ANY_VERSION
        ? capability
        : "%s, PTX up to %d.%d".formatted(capability, version / 10, version % 10);
  }

  /**
   * How a compiler is told to make code for it: for the software GPU one whose licence permits that
   * ({@code docs/legal.md}).
   */
  String remedy() {
    return binaries
        ? "nvcc -gencode arch=compute_%1$d,code=sm_%1$d".formatted(architecture)
        : "clang++ --offload-arch=sm_75 --cuda-include-ptx=sm_75";
  }
}
