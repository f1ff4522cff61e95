// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.call;

import io.outboard.cuda.CudaResult;
import io.outboard.cuda.CudaTextureReferences;
import io.outboard.softgpu.base.Handled;
import io.outboard.softgpu.base.Texts;
import io.outboard.softgpu.device.Context;
import io.outboard.softgpu.device.Machine;
import io.outboard.softgpu.module.LoadedModule;
import io.outboard.softgpu.texture.DeviceArray;
import io.outboard.softgpu.texture.MipmappedArray;
import io.outboard.softgpu.texture.SurfaceReference;
import io.outboard.softgpu.texture.TextureReference;
import io.outboard.softgpu.texture.TextureReference.Setting;
import io.outboard.wire.Native;
import java.util.function.Consumer;

/**
 * References to textures and surfaces, of modules or made by the program, and what it sets of them.
 * Kernels that use those of modules are refused: kernels of the software GPU read through objects.
 */
public final class TextureReferenceCalls implements CudaTextureReferences {
  /** What addresses of textures are a multiple of, in bytes. */
  private static final long ALIGNMENT = 512;

  /** The same of rows. */
  private static final long PITCH_ALIGNMENT = 32;

  /** {@code CU_TRSA_OVERRIDE_FORMAT}. */
  private static final int OVERRIDE_FORMAT = 1;

  private static final int FLAGS = 0x3f;
  private static final int MOST_CHANNELS = 4;

  private final Machine machine;

  public TextureReferenceCalls(Machine machine) {
    this.machine = machine;
  }

  private int with(long reference, boolean valid, Consumer<TextureReference> change) {
    if (machine.usable() == null) {
      return machine.refusal();
    }
    TextureReference known = machine.handles().get(reference, TextureReference.class);
    if (known == null || !valid) {
      return known == null ? CudaResult.INVALID_HANDLE : CudaResult.INVALID_VALUE;
    }
    change.accept(known);
    return CudaResult.SUCCESS;
  }

  private int set(long reference, Setting setting, int value, boolean valid) {
    return with(reference, valid, known -> known.set(setting, value));
  }

  private int get(long reference, Setting setting, long to) {
    return with(reference, to != 0, known -> Native.putInt(to, known.get(setting)));
  }

  @Override
  public int cuModuleGetTexRef(long reference, long module, long name) {
    return find(reference, module, name, TextureReference.class);
  }

  @Override
  public int cuModuleGetSurfRef(long reference, long module, long name) {
    return find(reference, module, name, SurfaceReference.class);
  }

  private int find(long to, long module, long name, Class<? extends Handled> kind) {
    if (machine.usable() == null) {
      return machine.refusal();
    }
    LoadedModule searched = machine.handles().get(module, LoadedModule.class);
    if (searched == null || to == 0 || name == 0) {
      return searched == null ? CudaResult.INVALID_HANDLE : CudaResult.INVALID_VALUE;
    }
    Handled found = searched.reference(Texts.read(name), kind);
    if (found == null) {
      return CudaResult.NOT_FOUND;
    }
    Native.putLong(to, found.handle());
    return CudaResult.SUCCESS;
  }

  @Override
  public int cuSurfRefSetArray(long reference, long array, int flags) {
    SurfaceReference bound = machine.handles().get(reference, SurfaceReference.class);
    DeviceArray to = machine.handles().get(array, DeviceArray.class);
    if (machine.usable() == null) {
      return machine.refusal();
    }
    if (bound == null || to == null) {
      return CudaResult.INVALID_HANDLE;
    }
    return flags == 0 && bound.bind(to) ? CudaResult.SUCCESS : CudaResult.INVALID_VALUE;
  }

  @Override
  public int cuSurfRefGetArray(long array, long reference) {
    SurfaceReference bound = machine.handles().get(reference, SurfaceReference.class);
    if (machine.usable() == null) {
      return machine.refusal();
    }
    if (bound == null) {
      return CudaResult.INVALID_HANDLE;
    }
    if (array == 0 || bound.array() == null) {
      return CudaResult.INVALID_VALUE;
    }
    Native.putLong(array, bound.array().handle());
    return CudaResult.SUCCESS;
  }

  @Override
  public int cuTexRefCreate(long reference) {
    Context context = machine.usable();
    if (context == null) {
      return machine.refusal();
    }
    TextureReference made = new TextureReference(context);
    if (reference == 0 || !context.adopt(made)) {
      return reference == 0 ? CudaResult.INVALID_VALUE : CudaResult.OUT_OF_MEMORY;
    }
    Native.putLong(reference, made.handle());
    return CudaResult.SUCCESS;
  }

  @Override
  public int cuTexRefDestroy(long reference) {
    return with(
        reference,
        true,
        known -> {
          boolean unused = known.end();
        });
  }

  private int setArray(long reference, Handled array, int flags) {
    boolean valid = (flags & ~OVERRIDE_FORMAT) == 0;
    return array == null
        ? CudaResult.INVALID_HANDLE
        : with(reference, valid, known -> known.read(array));
  }

  @Override
  public int cuTexRefSetArray(long reference, long array, int flags) {
    return setArray(reference, machine.handles().get(array, DeviceArray.class), flags);
  }

  @Override
  public int cuTexRefSetMipmappedArray(long reference, long array, int flags) {
    return setArray(reference, machine.handles().get(array, MipmappedArray.class), flags);
  }

  @Override
  public int cuTexRefSetAddress_v2(long offset, long reference, long pointer, long bytes) {
    return with(
        reference,
        true,
        known -> {
          known.read(pointer);
          if (offset != 0) {
            Native.putLong(offset, pointer % ALIGNMENT);
          }
        });
  }

  @Override
  public int cuTexRefSetAddress2D_v3(long reference, long description, long pointer, long pitch) {
    boolean valid =
        description != 0
            && isPossible(description)
            && pitch > 0
            && pitch % PITCH_ALIGNMENT == 0
            && pointer % ALIGNMENT == 0;
    return with(reference, valid, known -> known.read(pointer));
  }

  /** Whether an array could have so many texels a row and rows; none is a size too. */
  private static boolean isPossible(long description) {
    return Native.getLong(description) >= 0 && Native.getLong(description + Long.BYTES) >= 0;
  }

  @Override
  public int cuTexRefSetFormat(long reference, int format, int channels) {
    return with(
        reference,
        channels != MOST_CHANNELS - 1 && channels <= MOST_CHANNELS,
        known -> {
          known.set(Setting.FORMAT, format);
          known.set(Setting.CHANNELS, channels);
        });
  }

  @Override
  public int cuTexRefSetAddressMode(long reference, int dimension, int mode) {
    boolean valid = TextureReference.hasDimension(dimension);
    return with(reference, valid, known -> known.addressMode(dimension, mode));
  }

  @Override
  public int cuTexRefSetFilterMode(long reference, int mode) {
    return set(reference, Setting.FILTER, mode, true);
  }

  @Override
  public int cuTexRefSetMipmapFilterMode(long reference, int mode) {
    return set(reference, Setting.MIPMAP_FILTER, mode, mode == 0 || mode == 1);
  }

  @Override
  public int cuTexRefSetMipmapLevelBias(long reference, float bias) {
    return with(reference, true, known -> known.bias(bias));
  }

  @Override
  public int cuTexRefSetMipmapLevelClamp(long reference, float least, float most) {
    return with(reference, true, known -> known.clamp(least, most));
  }

  @Override
  public int cuTexRefSetMaxAnisotropy(long reference, int most) {
    return set(reference, Setting.ANISOTROPY, most, true);
  }

  @Override
  public int cuTexRefSetBorderColor(long reference, long color) {
    return with(
        reference,
        color != 0,
        known -> {
          for (int i = 0; i < TextureReference.COLORS; i++) {
            known.color(i, Native.getFloat(color + 4L * i));
          }
        });
  }

  @Override
  public int cuTexRefSetFlags(long reference, int flags) {
    return set(reference, Setting.FLAGS, flags, (flags & ~FLAGS) == 0);
  }

  @Override
  public int cuTexRefGetAddress_v2(long pointer, long reference) {
    TextureReference asked = machine.handles().get(reference, TextureReference.class);
    boolean valid = pointer != 0 && asked != null && asked.address() != 0;
    return with(reference, valid, known -> Native.putLong(pointer, known.address()));
  }

  private int getArray(long to, long reference, Class<? extends Handled> kind) {
    TextureReference asked = machine.handles().get(reference, TextureReference.class);
    Handled array = asked == null ? null : asked.array(kind);
    boolean valid = to != 0 && array != null;
    return with(reference, valid, known -> Native.putLong(to, array.handle()));
  }

  @Override
  public int cuTexRefGetArray(long array, long reference) {
    return getArray(array, reference, DeviceArray.class);
  }

  @Override
  public int cuTexRefGetMipmappedArray(long array, long reference) {
    return getArray(array, reference, MipmappedArray.class);
  }

  @Override
  public int cuTexRefGetAddressMode(long mode, long reference, int dimension) {
    boolean valid = mode != 0 && TextureReference.hasDimension(dimension);
    return with(reference, valid, known -> Native.putInt(mode, known.addressMode(dimension)));
  }

  @Override
  public int cuTexRefGetFilterMode(long mode, long reference) {
    return get(reference, Setting.FILTER, mode);
  }

  /** Either may be null. */
  @Override
  public int cuTexRefGetFormat(long format, long channels, long reference) {
    return with(
        reference,
        true,
        known -> {
          if (format != 0) {
            Native.putInt(format, known.get(Setting.FORMAT));
          }
          if (channels != 0) {
            Native.putInt(channels, known.get(Setting.CHANNELS));
          }
        });
  }

  @Override
  public int cuTexRefGetMipmapFilterMode(long mode, long reference) {
    return get(reference, Setting.MIPMAP_FILTER, mode);
  }

  @Override
  public int cuTexRefGetMipmapLevelBias(long bias, long reference) {
    return with(reference, bias != 0, known -> Native.putFloat(bias, known.bias()));
  }

  @Override
  public int cuTexRefGetMipmapLevelClamp(long least, long most, long reference) {
    return with(
        reference,
        least != 0 && most != 0,
        known -> {
          Native.putFloat(least, known.least());
          Native.putFloat(most, known.most());
        });
  }

  @Override
  public int cuTexRefGetMaxAnisotropy(long most, long reference) {
    return get(reference, Setting.ANISOTROPY, most);
  }

  @Override
  public int cuTexRefGetBorderColor(long color, long reference) {
    return with(
        reference,
        color != 0,
        known -> {
          for (int i = 0; i < TextureReference.COLORS; i++) {
            Native.putFloat(color + 4L * i, known.color(i));
          }
        });
  }

  /** It would have to be one that the function's module names, and no module names one. */
  @Override
  public int cuParamSetTexRef(long function, int unit, long reference) {
    return with(reference, false, known -> {});
  }

  @Override
  public int cuTexRefGetFlags(long flags, long reference) {
    return get(reference, Setting.FLAGS, flags);
  }
}
