// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.device;

import io.outboard.cuda.CudaResult;
import io.outboard.softgpu.base.Failures;
import io.outboard.softgpu.base.Handled;
import io.outboard.softgpu.memory.MemoryOwner;
import io.outboard.softgpu.profile.DeviceAttribute;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** A context: a program's objects on a device live and end with it. */
public class Context extends Handled implements MemoryOwner {
  private final Machine machine;
  private final Device device;
  private final StreamOrder order = new StreamOrder(this);
  private final ContextLimits limits;
  private final Set<Handled> owned =
      Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));
  private final EndedObjects ended = new EndedObjects();
  private volatile int flags;
  // Not guarded by the monitor: the holder of that may wait for the work that fails.
  private final AtomicInteger error = new AtomicInteger(CudaResult.SUCCESS);
  private volatile boolean active;

  Context(Machine machine, Device device, int flags) {
    this.machine = machine;
    this.device = device;
    this.flags = flags;
    this.limits =
        new ContextLimits(
            device.profile().attribute(DeviceAttribute.MAX_SHARED_MEMORY_PER_BLOCK_OPTIN));
  }

  /** One of the program's own, not active yet. */
  public static Context create(Machine machine, Device device, int flags) {
    return new Context(machine, device, flags);
  }

  public final Machine machine() {
    return machine;
  }

  public final Device device() {
    return device;
  }

  public final StreamOrder order() {
    return order;
  }

  public final ContextLimits limits() {
    return limits;
  }

  public final int flags() {
    return flags;
  }

  public final void flags(int value) {
    flags = value;
  }

  @Override
  public final void awaitWork() {
    order.awaitAll();
  }

  public final boolean isActive() {
    return active;
  }

  /** The result that every call reports since the context was lost; 0 before. */
  public final int error() {
    return error.get();
  }

  /** Whether its work is of no use any more: it was lost, or has ended. */
  public final boolean isOver() {
    return !active || error.get() != CudaResult.SUCCESS;
  }

  /** Brings an inactive context to life, empty. */
  public final void activate() {
    error.set(CudaResult.SUCCESS);
    active = true;
  }

  /** Loses the context: the first reason stays. */
  public final void fail(int result) {
    error.compareAndSet(CudaResult.SUCCESS, result);
  }

  /** Loses the context because of a mistake in this program. */
  public final void broken(Throwable failure) {
    fail(CudaResult.LAUNCH_FAILED);
    Failures.unexpected(failure);
  }

  /** Gives an object a handle that ends with the context; false when there are too many. */
  public final boolean adopt(Handled object) {
    if (!machine.handles().add(object)) {
      return false;
    }
    owned.add(object);
    return true;
  }

  /** Ends an object's handle; false when it has ended already. */
  public final boolean disown(Handled object) {
    owned.remove(object);
    return machine.handles().remove(object);
  }

  /**
   * Ends the handle of an object that kernels name: those launched before still find it. False when
   * it has ended already.
   */
  public final boolean retire(Handled object) {
    // Kept first, so that there is no moment at which a kernel finds it in neither place.
    ended.keep(object, order.unfinished());
    return disown(object);
  }

  /** The object that work of this context names, ended or not; null if there is none. */
  public final <T extends Handled> T named(long handle, Class<T> kind) {
    T living = machine.handles().get(handle, kind);
    return living != null ? living : ended.get(handle, kind);
  }

  /** Waits for the work, then frees everything that belongs to the context. */
  public final void deactivate() {
    active = false;
    order.awaitAll();
    synchronized (owned) {
      for (Handled object : owned) {
        machine.handles().remove(object);
      }
      owned.clear();
    }
    ended.clear();
    order.clear();
    machine.ended(this);
    machine.releaseAll(this);
  }

  /** The stream of a handle, default ones included; null when it is wrong. */
  public final Stream stream(long handle) {
    if (handle == 0 || handle == 1) {
      return order.legacy();
    }
    return handle == 2 ? order.perThread() : machine.handles().get(handle, Stream.class);
  }

  /** Whether a stream is in a capture. */
  public final boolean captures(long handle) {
    Stream stream = stream(handle);
    return stream != null && stream.capture() != null;
  }

  /** The stream of a handle if it belongs to this context, else null. */
  public final Stream ownStream(long handle) {
    Stream stream = stream(handle);
    return stream != null && stream.context() == this ? stream : null;
  }
}
