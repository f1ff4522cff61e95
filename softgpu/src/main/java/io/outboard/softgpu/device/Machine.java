// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.device;

import io.outboard.cuda.CudaResult;
import io.outboard.ptx.host.PtxMemory;
import io.outboard.softgpu.base.DeviceConsole;
import io.outboard.softgpu.base.HandleTable;
import io.outboard.softgpu.memory.DeviceAddresses;
import io.outboard.softgpu.memory.DeviceMemory;
import io.outboard.softgpu.memory.HostBacking;
import io.outboard.softgpu.memory.MemoryOwner;
import io.outboard.softgpu.profile.DeviceProfile;
import io.outboard.softgpu.profile.HostRoom;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** The common part of all calls: the devices, the handles, the threads, each thread's context. */
public final class Machine {
  private final Device[] devices;
  private final DeviceAddresses addresses;
  private final KernelWatch kernelWatch;
  private final HostBacking backing;
  private final DeviceConsole console;
  private final HandleTable handles = new HandleTable();
  private final StreamThreads streamThreads = new StreamThreads();
  private final KernelThreads kernelThreads = new KernelThreads();
  private final WorkWatch workWatch = new WorkWatch();
  private final Conditions conditions = new Conditions();
  private final PageLockedRanges pageLocked = new PageLockedRanges();
  private final List<Consumer<Context>> atEnd = new CopyOnWriteArrayList<>();

  @SuppressWarnings("ThreadLocalUsage") // a thread's context is the state of one driver, not of all
  private final ThreadLocal<Context> current = new ThreadLocal<>();

  private volatile boolean initialised;

  public Machine(
      List<Integer> numbers,
      DeviceProfile profile,
      DeviceAddresses addresses,
      long memoryBytes,
      KernelWatch kernelWatch,
      DeviceConsole console) {
    this.addresses = addresses;
    this.kernelWatch = kernelWatch;
    this.console = console;
    this.backing = new HostBacking(new HostRoom(Path.of("/"))::bytes, console);
    this.devices = new Device[numbers.size()];
    for (int ordinal = 0; ordinal < devices.length; ordinal++) {
      devices[ordinal] = new Device(this, ordinal, numbers.get(ordinal), profile, memoryBytes);
      handles.add(devices[ordinal].primary());
      handles.add(devices[ordinal].defaultPool());
    }
  }

  /**
   * Has {@code forget} called with each context that ends, when its work is done and its memory is
   * still there: it forgets what it keeps for the context.
   */
  public void atEnd(Consumer<Context> forget) {
    atEnd.add(forget);
  }

  /** A context ends. */
  void ended(Context context) {
    atEnd.forEach(forget -> forget.accept(context));
  }

  public HandleTable handles() {
    return handles;
  }

  public DeviceConsole console() {
    return console;
  }

  StreamThreads streamThreads() {
    return streamThreads;
  }

  public KernelThreads kernelThreads() {
    return kernelThreads;
  }

  public KernelWatch kernelWatch() {
    return kernelWatch;
  }

  /** The listeners to work. */
  public WorkWatch workWatch() {
    return workWatch;
  }

  /** Where the devices' addresses lie. */
  public DeviceAddresses addresses() {
    return addresses;
  }

  /** The backing of all devices by the host's memory. */
  HostBacking backing() {
    return backing;
  }

  public Conditions conditions() {
    return conditions;
  }

  public int deviceCount() {
    return devices.length;
  }

  /** The device of an ordinal, or null. */
  public Device device(int ordinal) {
    return ordinal >= 0 && ordinal < devices.length ? devices[ordinal] : null;
  }

  /** The device that a memory is of. */
  public Device deviceOf(DeviceMemory memory) {
    return devices[memory.ordinal()];
  }

  /** The memory that an address would lie in; null when it is no device address. */
  public DeviceMemory memoryOf(long address) {
    long index = addresses.ordinal(address);
    return index >= 0 && index < devices.length ? devices[(int) index].memory() : null;
  }

  /** The addresses, set aside for all, that kernels of a device reach beside its own memory. */
  public PtxMemory common(Device device) {
    return device.ordinal() == 0 ? PtxMemory.NONE : devices[0].memory().commonInReach();
  }

  /** The address in this process of a range of device memory, or 0 when it is not one. */
  public long resolve(long address, long bytes) {
    DeviceMemory memory = memoryOf(address);
    return memory == null ? 0 : memory.resolve(address, bytes);
  }

  /** The same of a word for which streams wait: page-locked memory has some too. */
  public long resolveWord(long address, int bytes) {
    long memory = resolve(address, bytes);
    return memory == 0 && pageLocked.contains(address, bytes) ? address : memory;
  }

  /** Page-locked memory of this process. */
  public PageLockedRanges pageLocked() {
    return pageLocked;
  }

  /** Frees what ends with its owner, on whatever device. */
  void releaseAll(MemoryOwner owner) {
    for (Device device : devices) {
      device.memory().releaseAll(owner);
    }
  }

  /** Whether some context has work that is not done. */
  public boolean isWorking() {
    AtomicBoolean working = new AtomicBoolean();
    handles.forEach(
        Context.class, context -> working.compareAndSet(false, context.order().isWorking()));
    return working.get();
  }

  /** The memory files of all devices. */
  public List<Integer> memoryFiles() {
    return Arrays.stream(devices).flatMap(device -> device.memory().files().stream()).toList();
  }

  /** Waits for all work of all contexts that was submitted up to now. */
  public void awaitAll() {
    handles.forEach(Context.class, context -> context.order().awaitAll());
  }

  public void initialise() {
    initialised = true;
  }

  public boolean isInitialised() {
    return initialised;
  }

  /** The context that a handle names, a green one's too, or null. */
  public Context context(long handle) {
    GreenContext.Face face = handles.get(handle, GreenContext.Face.class);
    return face != null ? face.green().primary() : handles.get(handle, Context.class);
  }

  /** The calling thread's context, usable or not, or null. */
  public Context current() {
    return current.get();
  }

  /** Sets the calling thread's context; null takes it away. */
  public void current(Context context) {
    current.set(context);
  }

  /** The calling thread's context; null when no call can be made in it, see {@link #refusal}. */
  public Context usable() {
    Context context = current.get();
    return context != null && context.isActive() && context.error() == 0 ? context : null;
  }

  /**
   * The context of a stream, whatever is current, and of a default stream the calling thread's;
   * null when no call can be made in it, see {@link #refusal(long)}.
   */
  public Context usable(long stream) {
    Stream own = handles.get(stream, Stream.class);
    if (own == null) {
      return usable();
    }
    Context context = own.context();
    return context.isOver() ? null : context;
  }

  /** Why there is no {@link #usable(long)} context. */
  public int refusal(long stream) {
    Stream own = handles.get(stream, Stream.class);
    return own == null ? refusal() : refusal(own.context());
  }

  /** Why there is no {@link #usable} context. */
  public int refusal() {
    if (!initialised) {
      return CudaResult.NOT_INITIALIZED;
    }
    Context context = current.get();
    return context == null ? CudaResult.INVALID_CONTEXT : refusal(context);
  }

  private static int refusal(Context context) {
    return context.isActive() ? context.error() : CudaResult.CONTEXT_IS_DESTROYED;
  }
}
