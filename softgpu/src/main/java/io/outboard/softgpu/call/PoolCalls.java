// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.call;

import io.outboard.cuda.CudaPools;
import io.outboard.cuda.CudaResult;
import io.outboard.cuda.CudaVirtualMemory;
import io.outboard.cuda.struct.AccessDescription;
import io.outboard.cuda.struct.PoolProperties;
import io.outboard.softgpu.device.Context;
import io.outboard.softgpu.device.Device;
import io.outboard.softgpu.device.Machine;
import io.outboard.softgpu.device.Operation;
import io.outboard.softgpu.device.Stream;
import io.outboard.softgpu.graph.GraphMemories;
import io.outboard.softgpu.graph.GraphMemory;
import io.outboard.softgpu.graph.MemoryNode;
import io.outboard.softgpu.memory.Allocation;
import io.outboard.softgpu.memory.DeviceMemory;
import io.outboard.softgpu.memory.Label;
import io.outboard.softgpu.memory.Mapping;
import io.outboard.softgpu.memory.Pool;
import io.outboard.softgpu.share.ExchangeName;
import io.outboard.softgpu.share.Exports;
import io.outboard.softgpu.share.Imports;
import io.outboard.wire.Bytes;
import io.outboard.wire.Native;
import java.io.IOException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/** Memory in the order of streams. It is there at once; it goes when the stream gets there. */
public final class PoolCalls implements CudaPools {
  private static final int PINNED = 1;
  private static final int ON_DEVICE = 1;
  private static final int READ_WRITE = 3;
  private static final int LOCATION_ID = 4;

  // CUmemPool_attribute
  private static final int RELEASE_THRESHOLD = 4;
  private static final int RESERVED = 5;
  private static final int RESERVED_HIGH = 6;
  private static final int USED = 7;
  private static final int USED_HIGH = 8;

  private final Machine machine;
  private final Exports exports;
  private final Imports imports;
  private final GraphMemories graphMemories;
  // By identity: the next allocation may have the address and the size of one that has just gone.
  private final Set<Allocation> going =
      Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));

  public PoolCalls(Machine machine, Exports exports, Imports imports, GraphMemories graphMemories) {
    this.machine = machine;
    this.exports = exports;
    this.imports = imports;
    this.graphMemories = graphMemories;
  }

  @Override
  public int cuMemAllocAsync(long pointer, long bytes, long stream) {
    Context context = machine.usable(stream);
    return context == null
        ? machine.refusal(stream)
        : allocate(pointer, bytes, context.device().pool(), stream);
  }

  @Override
  public int cuMemAllocFromPoolAsync(long pointer, long bytes, long pool, long stream) {
    if (machine.usable(stream) == null) {
      return machine.refusal(stream);
    }
    Pool from = machine.handles().get(pool, Pool.class);
    if (from == null || from.label() != null) {
      return from == null ? CudaResult.INVALID_HANDLE : CudaResult.INVALID_VALUE;
    }
    boolean captures = machine.usable(stream).captures(stream);
    return captures ? CudaResult.NOT_SUPPORTED : allocate(pointer, bytes, from, stream);
  }

  private int allocate(long pointer, long bytes, Pool pool, long handle) {
    Context context = machine.usable(handle);
    Stream stream = context.ownStream(handle);
    if (stream == null) {
      return CudaResult.INVALID_HANDLE;
    }
    if (pointer == 0) {
      return CudaResult.INVALID_VALUE;
    }
    if (bytes <= 0) {
      Native.putLong(pointer, 0);
      return bytes == 0 ? CudaResult.SUCCESS : CudaResult.OUT_OF_MEMORY;
    }
    if (stream.capture() != null) {
      return capture(stream, pool.memory(), pointer, bytes);
    }
    Allocation made = pool.allocate(bytes, context);
    if (made == null) {
      return CudaResult.OUT_OF_MEMORY;
    }
    Native.putLong(pointer, made.address());
    return CudaResult.SUCCESS;
  }

  /** In a capture memory is the graph's. */
  private int capture(Stream stream, DeviceMemory memory, long pointer, long bytes) {
    GraphMemory made = graphMemories.create(memory, bytes);
    if (made == null) {
      return stream.capture().invalidate(CudaResult.OUT_OF_MEMORY);
    }
    Native.putLong(pointer, made.place().address());
    int result = stream.capture().add(stream, new MemoryNode(made, false));
    if (result != CudaResult.SUCCESS) {
      made.leaveGraph();
    }
    return result;
  }

  /** Memory of a graph: another node of one, or freed at once as far as launches are concerned. */
  private int freeOfGraph(Stream stream, GraphMemory freed) {
    if (stream.capture() == null) {
      return freed.free() ? CudaResult.SUCCESS : CudaResult.INVALID_VALUE;
    }
    return freed.takeFreeNode()
        ? stream.capture().add(stream, new MemoryNode(freed, true))
        : CudaResult.INVALID_VALUE;
  }

  @Override
  public int cuMemFreeAsync(long pointer, long handle) {
    Context context = machine.usable(handle);
    if (context == null) {
      return machine.refusal(handle);
    }
    Stream stream = context.ownStream(handle);
    if (stream == null) {
      return CudaResult.INVALID_HANDLE;
    }
    if (pointer == 0) {
      return CudaResult.SUCCESS;
    }
    DeviceMemory memory = machine.memoryOf(pointer);
    Allocation freed = memory == null ? null : memory.startingAt(pointer);
    if (freed != null && freed.kind() == Allocation.Kind.GRAPH) {
      return freeOfGraph(stream, graphMemories.at(pointer));
    }
    boolean imported = imports.has(pointer, ExchangeName.Kind.POOL_MEMORY);
    boolean freeable =
        freed != null
            && (freed.pool() != null || imported || freed.kind() == Allocation.Kind.PLAIN);
    if (!freeable) {
      return CudaResult.INVALID_VALUE;
    }
    // A capture frees what it has allocated, and goes on without this.
    if (stream.capture() != null || !going.add(freed)) {
      return CudaResult.INVALID_VALUE;
    }
    return context.order().start(stream, new Going(memory, freed));
  }

  /** Memory on its way out. */
  private final class Going extends Operation {
    private final DeviceMemory memory;
    private final Allocation freed;

    Going(DeviceMemory memory, Allocation freed) {
      this.memory = memory;
      this.freed = freed;
    }

    @Override
    public boolean always() {
      return true;
    }

    @Override
    public void perform(Context context) {
      if (freed.kind() == Allocation.Kind.IMPORTED) {
        imports.close(freed.address());
      } else {
        exports.forget(freed);
        memory.release(freed);
      }
      going.remove(freed);
    }
  }

  @Override
  public int cuMemPoolCreate(long pool, long properties) {
    if (!machine.isInitialised()) {
      return CudaResult.NOT_INITIALIZED;
    }
    if (pool == 0 || properties == 0 || Native.getInt(properties) != PINNED) {
      return CudaResult.INVALID_VALUE;
    }
    int types = Native.getInt(properties + PoolProperties.HANDLE_TYPES);
    if ((types & ~CudaVirtualMemory.FILE_DESCRIPTOR) != 0) {
      return CudaResult.NOT_SUPPORTED;
    }
    Device device = device(properties + PoolProperties.LOCATION);
    if (device == null) {
      return CudaResult.INVALID_VALUE;
    }
    long limit = Native.getLong(properties + PoolProperties.MAX_BYTES);
    return hand(pool, new Pool(device.memory(), limit == 0 ? Long.MAX_VALUE : limit, types));
  }

  private int hand(long pool, Pool made) {
    if (!machine.handles().add(made)) {
      return CudaResult.OUT_OF_MEMORY;
    }
    Native.putLong(pool, made.handle());
    return CudaResult.SUCCESS;
  }

  /**
   * The device of a pool that properties describe; null if they describe none that there can be.
   */
  static Device device(Machine machine, long properties) {
    boolean possible =
        Native.getInt(properties) == PINNED
            && Native.getInt(properties + PoolProperties.HANDLE_TYPES) == 0;
    long location = properties + PoolProperties.LOCATION;
    return possible && Native.getInt(location) == ON_DEVICE
        ? machine.device(Native.getInt(location + LOCATION_ID))
        : null;
  }

  private Device device(long location) {
    return Native.getInt(location) == ON_DEVICE
        ? machine.device(Native.getInt(location + LOCATION_ID))
        : null;
  }

  /** The memory stays until it is freed. */
  @Override
  public int cuMemPoolDestroy(long pool) {
    Pool ended = machine.handles().get(pool, Pool.class);
    if (ended == null) {
      return unknown();
    }
    Device device = machine.deviceOf(ended.memory());
    if (ended == device.defaultPool()) {
      return CudaResult.INVALID_VALUE;
    }
    device.forget(ended);
    machine.handles().remove(ended);
    return CudaResult.SUCCESS;
  }

  private int unknown() {
    return machine.isInitialised() ? CudaResult.INVALID_HANDLE : CudaResult.NOT_INITIALIZED;
  }

  /** Nothing is kept that is not used. */
  @Override
  public int cuMemPoolTrimTo(long pool, long bytes) {
    return machine.handles().get(pool, Pool.class) == null ? unknown() : CudaResult.SUCCESS;
  }

  @Override
  public int cuMemPoolSetAttribute(long pool, int attribute, long value) {
    Pool changed = machine.handles().get(pool, Pool.class);
    if (changed == null) {
      return unknown();
    }
    boolean resets = attribute == RESERVED_HIGH || attribute == USED_HIGH;
    boolean sets = attribute >= 1 && attribute <= RELEASE_THRESHOLD;
    if (value == 0 || !(sets || (resets && Native.getLong(value) == 0))) {
      return CudaResult.INVALID_VALUE;
    }
    if (resets) {
      changed.resetHighest();
    } else {
      changed.setting(attribute, Native.getLong(value));
    }
    return CudaResult.SUCCESS;
  }

  @Override
  public int cuMemPoolGetAttribute(long pool, int attribute, long value) {
    Pool asked = machine.handles().get(pool, Pool.class);
    if (asked == null) {
      return unknown();
    }
    if (value == 0 || attribute < 1 || attribute > USED_HIGH) {
      return CudaResult.INVALID_VALUE;
    }
    Native.putLong(value, figure(asked, attribute));
    return CudaResult.SUCCESS;
  }

  private static long figure(Pool pool, int attribute) {
    return switch (attribute) {
      case RESERVED, USED -> pool.used();
      case RESERVED_HIGH, USED_HIGH -> pool.highest();
      default -> pool.setting(attribute);
    };
  }

  /** A device's memory is its own: there is no peer access here. */
  @Override
  public int cuMemPoolSetAccess(long pool, long access, long count) {
    Pool changed = machine.handles().get(pool, Pool.class);
    if (changed == null) {
      return unknown();
    }
    Device own = machine.deviceOf(changed.memory());
    for (long i = 0; i < count; i++) {
      long one = access + i * AccessDescription.BYTES;
      if (device(one) != own || Native.getInt(one + 8) != READ_WRITE) {
        return CudaResult.NOT_SUPPORTED;
      }
    }
    return access == 0 ? CudaResult.INVALID_VALUE : CudaResult.SUCCESS;
  }

  @Override
  public int cuMemPoolGetAccess(long flags, long pool, long location) {
    Pool asked = machine.handles().get(pool, Pool.class);
    if (asked == null) {
      return unknown();
    }
    if (flags == 0 || location == 0 || device(location) == null) {
      return CudaResult.INVALID_VALUE;
    }
    Native.putInt(flags, device(location).memory() == asked.memory() ? READ_WRITE : 0);
    return CudaResult.SUCCESS;
  }

  private int hand(long output, int device, boolean standard) {
    Device asked = machine.device(device);
    if (!machine.isInitialised()) {
      return CudaResult.NOT_INITIALIZED;
    }
    if (asked == null || output == 0) {
      return asked == null ? CudaResult.INVALID_DEVICE : CudaResult.INVALID_VALUE;
    }
    Native.putLong(output, (standard ? asked.defaultPool() : asked.pool()).handle());
    return CudaResult.SUCCESS;
  }

  /** The ordinal of a device's own memory, the only one that pools have here; −1: another place. */
  private static int place(long location, int type) {
    return location != 0 && type == PINNED && Native.getInt(location) == ON_DEVICE
        ? Native.getInt(location + Integer.BYTES)
        : -1;
  }

  private static int elsewhere(long location, int type) {
    boolean known = location != 0 && type == PINNED;
    return known && Native.getInt(location) != 0
        ? CudaResult.NOT_SUPPORTED
        : CudaResult.INVALID_VALUE;
  }

  @Override
  public int cuMemGetDefaultMemPool(long pool, long location, int type) {
    int device = place(location, type);
    return device < 0 ? elsewhere(location, type) : hand(pool, device, true);
  }

  @Override
  public int cuMemGetMemPool(long pool, long location, int type) {
    int device = place(location, type);
    return device < 0 ? elsewhere(location, type) : hand(pool, device, false);
  }

  @Override
  public int cuMemSetMemPool(long location, int type, long pool) {
    int device = place(location, type);
    return device < 0 ? elsewhere(location, type) : cuDeviceSetMemPool(device, pool);
  }

  private int checkGraphs(int device, int attribute) {
    if (!machine.isInitialised()) {
      return CudaResult.NOT_INITIALIZED;
    }
    if (machine.device(device) == null) {
      return CudaResult.INVALID_DEVICE;
    }
    return GraphMemories.knows(attribute) ? CudaResult.SUCCESS : CudaResult.INVALID_VALUE;
  }

  @Override
  public int cuDeviceGetGraphMemAttribute(int device, int attribute, long value) {
    int result = value == 0 ? CudaResult.INVALID_VALUE : checkGraphs(device, attribute);
    if (result == CudaResult.SUCCESS) {
      Native.putLong(value, graphMemories.figure(attribute));
    }
    return result;
  }

  /** Only the highest figures can be set, and only back. */
  @Override
  public int cuDeviceSetGraphMemAttribute(int device, int attribute, long value) {
    int result = checkGraphs(device, attribute);
    if (result != CudaResult.SUCCESS) {
      return result;
    }
    if (value == 0 || Native.getLong(value) != 0 || !GraphMemories.resets(attribute)) {
      return CudaResult.INVALID_VALUE;
    }
    graphMemories.reset(attribute);
    return CudaResult.SUCCESS;
  }

  /** Nothing is kept that is not used. */
  @Override
  public int cuDeviceGraphMemTrim(int device) {
    return checkGraphs(device, 0);
  }

  @Override
  public int cuDeviceGetDefaultMemPool(long pool, int device) {
    return hand(pool, device, true);
  }

  @Override
  public int cuDeviceGetMemPool(long pool, int device) {
    return hand(pool, device, false);
  }

  @Override
  public int cuDeviceSetMemPool(int device, long pool) {
    Device changed = machine.device(device);
    Pool current = machine.handles().get(pool, Pool.class);
    if (changed == null || current == null) {
      return changed == null ? CudaResult.INVALID_DEVICE : unknown();
    }
    if (current.memory() != changed.memory() || current.label() != null) {
      return CudaResult.INVALID_VALUE;
    }
    changed.pool(current);
    return CudaResult.SUCCESS;
  }

  /** A page that says which pool it is: its memory is handed out piece by piece. */
  @Override
  public int cuMemPoolExportToShareableHandle(long handle, long pool, int type, long flags) {
    Pool shared = machine.handles().get(pool, Pool.class);
    if (shared == null) {
      return unknown();
    }
    if (type != CudaVirtualMemory.FILE_DESCRIPTOR || exports.exchange() == null) {
      return CudaResult.NOT_SUPPORTED;
    }
    if (handle == 0 || flags != 0 || (shared.handleTypes() & type) == 0 || shared.label() != null) {
      return CudaResult.INVALID_VALUE;
    }
    try {
      Native.putInt(handle, labelled(shared));
      return CudaResult.SUCCESS;
    } catch (IOException e) {
      return CudaResult.OUT_OF_MEMORY;
    }
  }

  private int labelled(Pool pool) throws IOException {
    Bytes process = exports.process();
    int ordinal = pool.memory().ordinal();
    Label label = new Label(Label.Kind.POOL, ordinal, pool.handleTypes(), pool.handle(), process);
    int file = Mapping.file(Mapping.PAGE);
    label.write(file);
    return file;
  }

  @Override
  public int cuMemPoolImportFromShareableHandle(long pool, long handle, int type, long flags) {
    if (!machine.isInitialised()) {
      return CudaResult.NOT_INITIALIZED;
    }
    if (type != CudaVirtualMemory.FILE_DESCRIPTOR) {
      return CudaResult.NOT_SUPPORTED;
    }
    Label label = Label.read((int) handle, Label.Kind.POOL);
    Device device = label == null ? null : machine.device(label.device());
    return pool == 0 || flags != 0 || device == null
        ? CudaResult.INVALID_VALUE
        : hand(pool, new Pool(device.memory(), label));
  }

  @Override
  public int cuMemPoolExportPointer(long data, long pointer) {
    if (machine.usable() == null) {
      return machine.refusal();
    }
    DeviceMemory memory = machine.memoryOf(pointer);
    Allocation named = memory == null ? null : memory.startingAt(pointer);
    if (data == 0 || named == null || named.pool() == null || named.pool().handleTypes() == 0) {
      return CudaResult.INVALID_VALUE;
    }
    try {
      exports.name(named).write(data);
      return CudaResult.SUCCESS;
    } catch (IOException e) {
      return CudaResult.OUT_OF_MEMORY;
    }
  }

  @Override
  public int cuMemPoolImportPointer(long pointer, long pool, long data) {
    Context context = machine.usable();
    if (context == null) {
      return machine.refusal();
    }
    Pool from = machine.handles().get(pool, Pool.class);
    if (from == null) {
      return CudaResult.INVALID_HANDLE;
    }
    if (pointer == 0
        || data == 0
        || from.label() == null
        || from.memory() != context.device().memory()) {
      return CudaResult.INVALID_VALUE;
    }
    ExchangeName name = ExchangeName.at(data, ExchangeName.Kind.POOL_MEMORY);
    return name != null && name.process().equals(from.label().identity())
        ? open(pointer, context, name, from.label().number())
        : CudaResult.INVALID_VALUE;
  }

  /** Most failures mean that the name is not one of existing memory. */
  private int open(long pointer, Context context, ExchangeName name, long pool) {
    long address = imports.open(context, name, pool);
    if (address < 0) {
      return address == -CudaResult.OUT_OF_MEMORY
          ? CudaResult.OUT_OF_MEMORY
          : CudaResult.INVALID_VALUE;
    }
    Native.putLong(pointer, address);
    return CudaResult.SUCCESS;
  }
}
