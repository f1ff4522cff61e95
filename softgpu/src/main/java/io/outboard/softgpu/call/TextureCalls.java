// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.call;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.outboard.cuda.CudaResult;
import io.outboard.cuda.CudaTextures;
import io.outboard.ptx.host.PtxTexture;
import io.outboard.softgpu.base.Handled;
import io.outboard.softgpu.copy.ArrayBox;
import io.outboard.softgpu.copy.ArrayCopies;
import io.outboard.softgpu.device.Context;
import io.outboard.softgpu.device.Machine;
import io.outboard.softgpu.texture.ArrayShape;
import io.outboard.softgpu.texture.DeviceArray;
import io.outboard.softgpu.texture.MipmappedArray;
import io.outboard.softgpu.texture.SurfaceObject;
import io.outboard.softgpu.texture.TextureObject;
import io.outboard.softgpu.texture.TextureResource;
import io.outboard.softgpu.texture.TextureSampling;
import io.outboard.wire.Native;
import java.lang.foreign.MemorySegment;

/** Arrays, textures and surfaces. */
public final class TextureCalls implements CudaTextures {
  /** {@code CU_RES_VIEW_FORMAT_UNSIGNED_BC7}. */
  private static final int LAST_VIEW_FORMAT = 0x22;

  private final Machine machine;
  private final ArrayCopies copies;

  public TextureCalls(Machine machine) {
    this.machine = machine;
    this.copies = new ArrayCopies(machine);
  }

  @Override
  public int cuArrayCreate_v2(long array, long description) {
    return array == 0 || description == 0
        ? wrongOr(CudaResult.INVALID_VALUE)
        : create(array, ArrayShape.flat(description));
  }

  @Override
  public int cuArray3DCreate_v2(long array, long description) {
    return array == 0 || description == 0
        ? wrongOr(CudaResult.INVALID_VALUE)
        : create(array, ArrayShape.of(description));
  }

  /** Why no call can be made; where calls can be made, {@code result}. */
  private int wrongOr(int result) {
    return machine.usable() == null ? machine.refusal() : result;
  }

  private int create(long array, ArrayShape shape) {
    Context context = machine.usable();
    if (context == null) {
      return machine.refusal();
    }
    int result = shape.check(context.device().profile());
    if (result != CudaResult.SUCCESS) {
      return result;
    }
    DeviceArray made = DeviceArray.make(context, shape, false);
    if (made == null || !context.adopt(made)) {
      return CudaResult.OUT_OF_MEMORY;
    }
    Native.putLong(array, made.handle());
    return CudaResult.SUCCESS;
  }

  @Override
  public int cuArrayGetDescriptor_v2(long description, long array) {
    DeviceArray known = machine.handles().get(array, DeviceArray.class);
    int result = check(known, description);
    if (result == CudaResult.SUCCESS) {
      known.shape().writeFlat(description);
    }
    return result;
  }

  @Override
  public int cuArray3DGetDescriptor_v2(long description, long array) {
    DeviceArray known = machine.handles().get(array, DeviceArray.class);
    int result = check(known, description);
    if (result == CudaResult.SUCCESS) {
      known.shape().write(description);
    }
    return result;
  }

  private int check(Handled known, long output) {
    if (machine.usable() == null) {
      return machine.refusal();
    }
    if (known == null) {
      return CudaResult.INVALID_HANDLE;
    }
    return output == 0 ? CudaResult.INVALID_VALUE : CudaResult.SUCCESS;
  }

  /** Work of any stream may use it: waits for it all. */
  @Override
  public int cuArrayDestroy(long array) {
    DeviceArray ended = machine.handles().get(array, DeviceArray.class);
    if (machine.usable() == null) {
      return machine.refusal();
    }
    if (ended == null || ended.isLevel()) {
      return CudaResult.INVALID_HANDLE;
    }
    machine.awaitAll();
    return ended.end() ? CudaResult.SUCCESS : CudaResult.INVALID_HANDLE;
  }

  /** None of the formats that there are has planes. */
  @Override
  public int cuArrayGetPlane(long plane, long array, int index) {
    int result = check(machine.handles().get(array, DeviceArray.class), plane);
    return result == CudaResult.SUCCESS ? CudaResult.INVALID_VALUE : result;
  }

  @Override
  public int cuMipmappedArrayCreate(long array, long description, int levels) {
    Context context = machine.usable();
    if (context == null) {
      return machine.refusal();
    }
    if (array == 0 || description == 0) {
      return CudaResult.INVALID_VALUE;
    }
    ArrayShape shape = ArrayShape.of(description);
    int result = shape.check(context.device().profile());
    if (result != CudaResult.SUCCESS) {
      return result;
    }
    int count = Math.clamp(levels, 1, shape.mostLevels());
    MipmappedArray made = MipmappedArray.make(context, shape, count);
    if (made == null) {
      return CudaResult.OUT_OF_MEMORY;
    }
    Native.putLong(array, made.handle());
    return CudaResult.SUCCESS;
  }

  @Override
  public int cuMipmappedArrayGetLevel(long level, long array, int index) {
    MipmappedArray known = machine.handles().get(array, MipmappedArray.class);
    int result = check(known, level);
    if (result == CudaResult.SUCCESS && known.level(index) == null) {
      result = CudaResult.INVALID_VALUE;
    }
    if (result == CudaResult.SUCCESS) {
      Native.putLong(level, known.level(index).handle());
    }
    return result;
  }

  @Override
  public int cuMipmappedArrayDestroy(long array) {
    MipmappedArray ended = machine.handles().get(array, MipmappedArray.class);
    if (machine.usable() == null) {
      return machine.refusal();
    }
    if (ended == null) {
      return CudaResult.INVALID_HANDLE;
    }
    machine.awaitAll();
    return ended.end() ? CudaResult.SUCCESS : CudaResult.INVALID_HANDLE;
  }

  @Override
  public int cuMemcpyHtoA_v2(long array, long offset, long source, long bytes) {
    return copies.toRow(array, offset, source, bytes, true);
  }

  @Override
  public int cuMemcpyAtoH_v2(long destination, long array, long offset, long bytes) {
    return copies.fromRow(destination, array, offset, bytes, true);
  }

  @Override
  public int cuMemcpyDtoA_v2(long array, long offset, long source, long bytes) {
    return copies.toRow(array, offset, machine.resolve(source, bytes), bytes, false);
  }

  @Override
  public int cuMemcpyAtoD_v2(long destination, long array, long offset, long bytes) {
    return copies.fromRow(machine.resolve(destination, bytes), array, offset, bytes, false);
  }

  @Override
  public int cuMemcpyAtoA_v2(
      long destination, long destinationOffset, long source, long sourceOffset, long bytes) {
    return copies.betweenRows(destination, destinationOffset, source, sourceOffset, bytes);
  }

  @Override
  public int outboardArrayWrite(
      long array,
      long x,
      long y,
      long z,
      long width,
      long height,
      long depth,
      long source,
      long bytes,
      long stream) {
    ArrayBox box = new ArrayBox(array, x, y, z, width, height, depth);
    return copies.write(box, source, bytes, stream);
  }

  @Override
  public int outboardArrayRead(
      long destination,
      long bytes,
      long array,
      long x,
      long y,
      long z,
      long width,
      long height,
      long depth,
      long stream) {
    ArrayBox box = new ArrayBox(array, x, y, z, width, height, depth);
    return copies.read(box, destination, bytes, stream);
  }

  /** A view of the resource as another one is not supported. */
  @Override
  public int cuTexObjectCreate(long object, long resource, long texture, long view) {
    Context context = machine.usable();
    if (context == null) {
      return machine.refusal();
    }
    if (object == 0 || resource == 0 || texture == 0) {
      return CudaResult.INVALID_VALUE;
    }
    TextureResource read = TextureResource.of(machine, resource);
    TextureSampling sampling = new TextureSampling(texture);
    int result = read == null ? CudaResult.INVALID_VALUE : sampling.check();
    if (result == CudaResult.SUCCESS && view != 0) {
      result = isView(view) ? CudaResult.NOT_SUPPORTED : CudaResult.INVALID_VALUE;
    }
    if (result != CudaResult.SUCCESS) {
      return result;
    }
    PtxTexture made = new PtxTexture(read.levels(), sampling.sampler(read));
    byte[] first = copy(resource, TextureResource.BYTES);
    byte[] second = copy(texture, TextureSampling.BYTES);
    return publish(object, new TextureObject(context, made, first, second), context);
  }

  /** Whether it has one of the formats of {@code CUresourceViewFormat}. */
  private static boolean isView(long view) {
    int format = Native.getInt(view);
    return format > 0 && format <= LAST_VIEW_FORMAT;
  }

  private static int publish(long output, Handled made, Context context) {
    if (!context.adopt(made)) {
      return CudaResult.OUT_OF_MEMORY;
    }
    Native.putLong(output, made.handle());
    return CudaResult.SUCCESS;
  }

  private static byte[] copy(long address, int bytes) {
    return Native.MEMORY.asSlice(address, bytes).toArray(JAVA_BYTE);
  }

  private static void write(byte[] bytes, long to) {
    MemorySegment.copy(bytes, 0, Native.MEMORY, JAVA_BYTE, to, bytes.length);
  }

  @Override
  public int cuTexObjectDestroy(long object) {
    TextureObject ended = machine.handles().get(object, TextureObject.class);
    if (machine.usable() == null) {
      return machine.refusal();
    }
    // What is no object is ended, too, as by the vendor's driver.
    boolean done = ended == null || ended.context().retire(ended);
    return done ? CudaResult.SUCCESS : CudaResult.INVALID_VALUE;
  }

  @Override
  public int cuTexObjectGetResourceDesc(long resource, long object) {
    TextureObject known = machine.handles().get(object, TextureObject.class);
    return tell(resource, known == null ? null : known.resource());
  }

  @Override
  public int cuTexObjectGetTextureDesc(long texture, long object) {
    TextureObject known = machine.handles().get(object, TextureObject.class);
    return tell(texture, known == null ? null : known.sampling());
  }

  /** No object has one. */
  @Override
  public int cuTexObjectGetResourceViewDesc(long view, long object) {
    return wrongOr(CudaResult.INVALID_VALUE);
  }

  private int tell(long output, byte[] description) {
    if (machine.usable() == null) {
      return machine.refusal();
    }
    if (output == 0 || description == null) {
      return CudaResult.INVALID_VALUE;
    }
    write(description, output);
    return CudaResult.SUCCESS;
  }

  @Override
  public int cuSurfObjectCreate(long object, long resource) {
    Context context = machine.usable();
    if (context == null) {
      return machine.refusal();
    }
    boolean array =
        object != 0 && resource != 0 && Native.getInt(resource) == TextureResource.ARRAY;
    TextureResource read = array ? TextureResource.of(machine, resource) : null;
    if (read == null) {
      return CudaResult.INVALID_VALUE;
    }
    byte[] description = copy(resource, TextureResource.BYTES);
    return publish(
        object, new SurfaceObject(context, read.levels().getFirst(), description), context);
  }

  @Override
  public int cuSurfObjectDestroy(long object) {
    SurfaceObject ended = machine.handles().get(object, SurfaceObject.class);
    if (machine.usable() == null) {
      return machine.refusal();
    }
    boolean done = ended == null || ended.context().retire(ended);
    return done ? CudaResult.SUCCESS : CudaResult.INVALID_VALUE;
  }

  @Override
  public int cuSurfObjectGetResourceDesc(long resource, long object) {
    SurfaceObject known = machine.handles().get(object, SurfaceObject.class);
    return tell(resource, known == null ? null : known.resource());
  }
}
