// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda.struct;

import io.outboard.spec.Size;
import io.outboard.spec.Struct;
import io.outboard.wire.Native;

/**
 * Everything constant about a device, in one answer: the runtime asks for some hundred of these
 * figures at start.
 *
 * @param name device name, ended by NUL ({@code cuDeviceGetName})
 * @param uuid {@code cuDeviceGetUuid}
 * @param totalMemory bytes ({@code cuDeviceTotalMem})
 * @param driverVersion 1000 × major + 10 × minor of the backend's driver
 * @param known bit a of word a / 64: the driver knows attribute a
 * @param attributes value of attribute a ({@code CUdevice_attribute}) at index a; at {@link
 *     #IMAGES}, an index that is no attribute of the vendor's, what images the device takes
 */
@Struct
public record DeviceFacts(
    @Size(256) byte[] name,
    @Size(16) byte[] uuid,
    long totalMemory,
    int driverVersion,
    int devices,
    @Size(3) long[] known,
    @Size(DeviceFacts.ATTRIBUTES) int[] attributes) {
  /** One more than the highest attribute that is asked for. */
  public static final int ATTRIBUTES = 160;

  /**
   * Index in {@link #attributes}: {@link #BINARIES} or {@link #TEXTS}; not known of backends that
   * are older than it.
   */
  public static final int IMAGES = ATTRIBUTES - 1;

  /** The device takes device binaries (SASS) of its architecture, and PTX. */
  public static final int BINARIES = 1;

  /** The device takes PTX. */
  public static final int TEXTS = 2;

  /** Offset of {@link #uuid} in the structure. */
  public static final int UUID = 256;

  /** Offset of {@link #totalMemory}. */
  public static final int TOTAL_MEMORY = 272;

  /** Offset of {@link #driverVersion}. */
  public static final int DRIVER_VERSION = 280;

  /** Offset of {@link #devices}. */
  public static final int DEVICES = 284;

  /** Offset of {@link #known}. */
  public static final int KNOWN = 288;

  /** Offset of {@link #attributes}. */
  public static final int ATTRIBUTE_VALUES = 312;

  /** Size of the structure in bytes. */
  public static final int BYTES = ATTRIBUTE_VALUES + 4 * ATTRIBUTES;

  /** Writes down at {@code facts} that the driver knows an attribute. */
  public static void know(long facts, int attribute) {
    long word = facts + KNOWN + 8L * (attribute / 64);
    Native.putLong(word, Native.getLong(word) | 1L << (attribute & 63));
  }

  /** Writes down at {@code facts} what images the device takes. */
  public static void takes(long facts, int images) {
    Native.putInt(facts + ATTRIBUTE_VALUES + 4L * IMAGES, images);
    know(facts, IMAGES);
  }
}
