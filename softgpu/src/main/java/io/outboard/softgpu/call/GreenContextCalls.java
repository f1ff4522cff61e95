// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.call;

import io.outboard.cuda.CudaGreenContexts;
import io.outboard.cuda.CudaResult;
import io.outboard.cuda.struct.DeviceResource;
import io.outboard.softgpu.base.Handled;
import io.outboard.softgpu.device.Context;
import io.outboard.softgpu.device.Device;
import io.outboard.softgpu.device.GreenContext;
import io.outboard.softgpu.device.Machine;
import io.outboard.softgpu.device.PrimaryContext;
import io.outboard.softgpu.device.Stream;
import io.outboard.softgpu.profile.DeviceAttribute;
import io.outboard.softgpu.stream.Event;
import io.outboard.wire.Native;

/** Green contexts and the multiprocessors that they have. */
public final class GreenContextCalls implements CudaGreenContexts {
  /** {@code CU_DEV_RESOURCE_TYPE_SM}. */
  private static final int MULTIPROCESSORS = 1;

  /** {@code CU_GREEN_CTX_DEFAULT_STREAM}. */
  private static final int DEFAULT_STREAM = 1;

  /** {@code CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING}. */
  private static final int IGNORE_COSCHEDULING = 1;

  /** {@code CU_DEV_SM_RESOURCE_SPLIT_MAX_POTENTIAL_CLUSTER_SIZE}. */
  private static final int LARGEST_CLUSTERS = 2;

  /** What tells a resource that came from here from other bytes. */
  private static final int MARK = 0x6f62_7264;

  private static final long MARK_AT = 4;
  private static final long DEVICE_AT = 8;

  /** Behind the driver's own part. */
  private static final long COUNT_AT = 96;

  private static final int MOST_RESOURCES = 0xffff;

  private final Machine machine;

  public GreenContextCalls(Machine machine) {
    this.machine = machine;
  }

  /** What a green context is made of. */
  private static final class Description extends Handled {
    private final Device device;
    private final int multiprocessors;

    private Description(Device device, int multiprocessors) {
      this.device = device;
      this.multiprocessors = multiprocessors;
    }
  }

  // ---- resources

  @Override
  public int cuDeviceGetDevResource(int ordinal, long resource, int type) {
    Device device = machine.device(ordinal);
    if (!machine.isInitialised() || device == null) {
      return machine.isInitialised() ? CudaResult.INVALID_DEVICE : CudaResult.NOT_INITIALIZED;
    }
    return put(resource, type, device, all(device));
  }

  @Override
  public int cuCtxGetDevResource(long handle, long resource, int type) {
    Context context = machine.context(handle);
    if (context == null) {
      return unknown();
    }
    GreenContext.Face face = machine.handles().get(handle, GreenContext.Face.class);
    Device device = context.device();
    return put(resource, type, device, face == null ? all(device) : face.green().multiprocessors());
  }

  @Override
  public int cuGreenCtxGetDevResource(long context, long resource, int type) {
    GreenContext green = green(context);
    return green == null
        ? unknown()
        : put(resource, type, green.primary().device(), green.multiprocessors());
  }

  private static int all(Device device) {
    return device.attribute(DeviceAttribute.MULTIPROCESSOR_COUNT);
  }

  private static int put(long resource, int type, Device device, int multiprocessors) {
    if (resource == 0) {
      return CudaResult.INVALID_VALUE;
    }
    if (type != MULTIPROCESSORS) {
      return CudaResult.INVALID_RESOURCE_TYPE;
    }
    Native.fill(resource, DeviceResource.BYTES, (byte) 0);
    Native.putInt(resource, type);
    Native.putInt(resource + MARK_AT, MARK);
    Native.putInt(resource + DEVICE_AT, device.ordinal());
    Native.putInt(resource + COUNT_AT, multiprocessors);
    return CudaResult.SUCCESS;
  }

  /** The device of a resource that came from here, else null. */
  private Device deviceOf(long resource) {
    boolean known =
        Native.getInt(resource) == MULTIPROCESSORS && Native.getInt(resource + MARK_AT) == MARK;
    Device device = known ? machine.device(Native.getInt(resource + DEVICE_AT)) : null;
    int count = Native.getInt(resource + COUNT_AT);
    return device == null || count <= 0 || count > all(device) ? null : device;
  }

  @Override
  public int cuDevSmResourceSplitByCount(
      long groups, long count, long whole, long rest, int flags, int least) {
    if (count == 0 || whole == 0 || isContradictory(flags)) {
      return CudaResult.INVALID_VALUE;
    }
    Device device = deviceOf(whole);
    if (device == null) {
      return CudaResult.INVALID_RESOURCE_TYPE;
    }
    int available = Native.getInt(whole + COUNT_AT);
    long each = share(device, flags, Integer.toUnsignedLong(least));
    if (each > available) {
      return CudaResult.INVALID_RESOURCE_CONFIGURATION;
    }
    int most = (int) (available / each);
    int made =
        groups == 0 ? most : (int) Math.min(most, Integer.toUnsignedLong(Native.getInt(count)));
    Native.putInt(count, made);
    for (int i = 0; i < made && groups != 0; i++) {
      put(groups + (long) i * DeviceResource.BYTES, MULTIPROCESSORS, device, (int) each);
    }
    if (rest != 0) {
      put(rest, MULTIPROCESSORS, device, available - made * (int) each);
    }
    return CudaResult.SUCCESS;
  }

  private static boolean isContradictory(int flags) {
    int both = IGNORE_COSCHEDULING | LARGEST_CLUSTERS;
    return (flags & both) == both;
  }

  /**
   * Multiprocessors of a group that has to have so many: at least as many as the architecture gives
   * together, and a multiple of its unit.
   */
  private static long share(Device device, int flags, long least) {
    int major = device.attribute(DeviceAttribute.COMPUTE_CAPABILITY_MAJOR);
    boolean alone = (flags & IGNORE_COSCHEDULING) != 0;
    int unit =
        switch (major) {
          case 6 -> 1;
          case 7, 8 -> 2;
          default -> alone ? 2 : 8;
        };
    int smallest =
        switch (major) {
          case 6 -> 1;
          case 7 -> 2;
          case 8 -> 4;
          default -> unit;
        };
    return Math.max(smallest, (least + unit - 1) / unit * unit);
  }

  @Override
  public int cuDevResourceGenerateDesc(long description, long resources, int count) {
    if (description == 0 || resources == 0) {
      return CudaResult.INVALID_VALUE;
    }
    if (count <= 0 || count > MOST_RESOURCES) {
      return CudaResult.INVALID_RESOURCE_TYPE;
    }
    Device device = deviceOf(resources);
    int sum = 0;
    for (int i = 0; i < count; i++) {
      long resource = resources + (long) i * DeviceResource.BYTES;
      if (device == null || deviceOf(resource) != device) {
        return CudaResult.INVALID_RESOURCE_TYPE;
      }
      sum += Native.getInt(resource + COUNT_AT);
    }
    if (sum > all(device)) {
      return CudaResult.INVALID_RESOURCE_CONFIGURATION;
    }
    return hand(description, new Description(device, sum));
  }

  private int hand(long to, Handled made) {
    if (!machine.handles().add(made)) {
      return CudaResult.OUT_OF_MEMORY;
    }
    Native.putLong(to, made.handle());
    return CudaResult.SUCCESS;
  }

  // ---- contexts

  /** Without a description it has the whole device. */
  @Override
  public int cuGreenCtxCreate(long context, long description, int ordinal, int flags) {
    Device device = machine.device(ordinal);
    if (device == null || context == 0 || flags != DEFAULT_STREAM) {
      return device == null ? CudaResult.INVALID_DEVICE : CudaResult.INVALID_VALUE;
    }
    Description asked = machine.handles().get(description, Description.class);
    boolean other = asked == null ? description != 0 : asked.device != device;
    if (other) {
      return CudaResult.INVALID_DEVICE;
    }
    GreenContext made =
        new GreenContext(device.primary(), asked == null ? all(device) : asked.multiprocessors);
    int result = hand(context, made);
    if (result != CudaResult.SUCCESS) {
      device.primary().release();
    }
    return result;
  }

  @Override
  public int cuGreenCtxDestroy(long context) {
    GreenContext ended = green(context);
    return ended != null && ended.end() ? CudaResult.SUCCESS : unknown();
  }

  @Override
  public int cuCtxFromGreenCtx(long context, long green) {
    GreenContext asked = green(green);
    if (asked == null || context == 0) {
      return asked == null ? unknown() : CudaResult.INVALID_VALUE;
    }
    GreenContext.Face face = asked.face();
    if (face == null) {
      return CudaResult.OUT_OF_MEMORY;
    }
    Native.putLong(context, face.handle());
    return CudaResult.SUCCESS;
  }

  @Override
  public int cuGreenCtxGetId(long context, long id) {
    GreenContext asked = green(context);
    if (asked == null || id == 0) {
      return asked == null ? unknown() : CudaResult.INVALID_VALUE;
    }
    Native.putLong(id, asked.id());
    return CudaResult.SUCCESS;
  }

  // ---- streams

  @Override
  public int cuGreenCtxStreamCreate(long stream, long context, int flags, int priority) {
    GreenContext green = green(context);
    if (green == null) {
      return unknown();
    }
    if (stream == 0 || flags != Stream.NON_BLOCKING) {
      return CudaResult.INVALID_VALUE;
    }
    Stream created = green.primary().isOver() ? null : green.create(flags);
    if (created == null) {
      return green.primary().isOver() ? gone(green.primary()) : CudaResult.OUT_OF_MEMORY;
    }
    Native.putLong(stream, created.handle());
    return CudaResult.SUCCESS;
  }

  private static int gone(PrimaryContext primary) {
    return primary.isActive() ? primary.error() : CudaResult.CONTEXT_IS_DESTROYED;
  }

  @Override
  public int cuStreamGetGreenCtx(long stream, long context) {
    Context used = machine.usable(stream);
    if (used == null) {
      return machine.refusal(stream);
    }
    Stream asked = used.stream(stream);
    if (asked == null || context == 0) {
      return asked == null ? CudaResult.INVALID_HANDLE : CudaResult.INVALID_VALUE;
    }
    Native.putLong(context, asked.green() == null ? 0 : asked.green().handle());
    return CudaResult.SUCCESS;
  }

  // ---- events

  @Override
  public int cuGreenCtxRecordEvent(long context, long event) {
    GreenContext green = green(context);
    return green == null
        ? unknown()
        : StreamValueCalls.record(machine, green.primary(), green.streams(), event);
  }

  @Override
  public int cuGreenCtxWaitEvent(long context, long event) {
    GreenContext green = green(context);
    Event awaited = machine.handles().get(event, Event.class);
    if (green == null || awaited == null) {
      return green == null ? unknown() : CudaResult.INVALID_HANDLE;
    }
    if (!awaited.isComplete()) {
      green.primary().order().delay(green.streams(), awaited::waiting);
    }
    return CudaResult.SUCCESS;
  }

  private GreenContext green(long handle) {
    return machine.handles().get(handle, GreenContext.class);
  }

  private int unknown() {
    return machine.isInitialised() ? CudaResult.CONTEXT_IS_DESTROYED : CudaResult.NOT_INITIALIZED;
  }
}
