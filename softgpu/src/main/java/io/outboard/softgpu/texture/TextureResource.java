// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.texture;

import io.outboard.ptx.host.PtxImage;
import io.outboard.ptx.host.PtxTexelFormat;
import io.outboard.softgpu.device.Machine;
import io.outboard.softgpu.profile.DeviceAttribute;
import io.outboard.softgpu.profile.DeviceProfile;
import io.outboard.wire.Native;
import java.util.List;

/**
 * The resource that a {@code CUDA_RESOURCE_DESC} names.
 *
 * @param type {@code CUresourcetype}
 * @param levels the texels of each level
 */
public record TextureResource(int type, List<PtxImage> levels) {
  public static final int ARRAY = 0;
  static final int LINEAR = 2;
  private static final int MIPMAPPED = 1;
  private static final int PITCHED = 3;
  private static final int UNION = 8;

  /** Size of the description in bytes. */
  public static final int BYTES = 144;

  /** The resource at an address of this process; null where it is wrong. */
  public static TextureResource of(Machine machine, long description) {
    int type = Native.getInt(description);
    List<PtxImage> levels =
        switch (type) {
          case ARRAY -> array(machine, Native.getLong(description + UNION));
          case MIPMAPPED -> mipmapped(machine, Native.getLong(description + UNION));
          case LINEAR -> linear(machine, description + UNION);
          case PITCHED -> pitched(machine, description + UNION);
          default -> null;
        };
    return levels == null ? null : new TextureResource(type, levels);
  }

  private static List<PtxImage> array(Machine machine, long handle) {
    DeviceArray array = machine.handles().get(handle, DeviceArray.class);
    return array == null ? null : List.of(array.image());
  }

  private static List<PtxImage> mipmapped(Machine machine, long handle) {
    MipmappedArray array = machine.handles().get(handle, MipmappedArray.class);
    return array == null ? null : array.images();
  }

  /** A row in memory: address, format, channels, bytes. */
  private static List<PtxImage> linear(Machine machine, long row) {
    PtxTexelFormat format = ArrayShape.texelFormat(Native.getInt(row + 8));
    int channels = Native.getInt(row + 12);
    long bytes = Native.getLong(row + 16);
    if (!isTexel(format, channels) || bytes < 0) {
      return null;
    }
    long width = bytes / (format.bytes() * (long) channels);
    long most =
        machine.usable().device().profile().attribute(DeviceAttribute.MAX_TEXTURE_1D_LINEAR_WIDTH);
    return width > most || !isTexture(machine, Native.getLong(row))
        ? null
        : image(Native.getLong(row), format, channels, width, 1, 0);
  }

  /** Rows in memory: address, format, channels, width, height, pitch. */
  private static List<PtxImage> pitched(Machine machine, long rows) {
    PtxTexelFormat format = ArrayShape.texelFormat(Native.getInt(rows + 8));
    int channels = Native.getInt(rows + 12);
    long width = Native.getLong(rows + 16);
    long height = Native.getLong(rows + 24);
    long pitch = Native.getLong(rows + 32);
    DeviceProfile profile = machine.usable().device().profile();
    boolean possible =
        isTexel(format, channels)
            && within(width, profile.attribute(DeviceAttribute.MAX_TEXTURE_2D_LINEAR_WIDTH))
            && within(height, profile.attribute(DeviceAttribute.MAX_TEXTURE_2D_LINEAR_HEIGHT))
            && within(pitch, profile.attribute(DeviceAttribute.MAX_TEXTURE_2D_LINEAR_PITCH))
            && pitch % profile.attribute(DeviceAttribute.TEXTURE_PITCH_ALIGNMENT) == 0
            && pitch >= width * channels * format.bytes()
            && isTexture(machine, Native.getLong(rows));
    return possible ? image(Native.getLong(rows), format, channels, width, height, pitch) : null;
  }

  private static boolean within(long extent, int most) {
    return extent > 0 && extent <= most;
  }

  private static boolean isTexel(PtxTexelFormat format, int channels) {
    return format != null && ArrayShape.areChannels(channels);
  }

  private static boolean isTexture(Machine machine, long address) {
    int alignment =
        machine.usable().device().profile().attribute(DeviceAttribute.TEXTURE_ALIGNMENT);
    return address % alignment == 0 && machine.resolve(address, 1) != 0;
  }

  private static List<PtxImage> image(
      long address, PtxTexelFormat format, int channels, long width, long height, long pitch) {
    return List.of(
        new PtxImage(
            address,
            format,
            channels,
            pitch == 0 ? 1 : 2,
            (int) width,
            (int) height,
            1,
            0,
            pitch,
            pitch * height));
  }
}
