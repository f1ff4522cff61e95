// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

import io.outboard.cuda.CudaDriverTopics;
import io.outboard.nvml.NvmlDriver;
import io.outboard.ptx.PtxKernel;
import io.outboard.softgpu.base.DeviceConsole;
import io.outboard.softgpu.base.Failures;
import io.outboard.softgpu.base.WorkListener;
import io.outboard.softgpu.call.CaptureCalls;
import io.outboard.softgpu.call.ContextCalls;
import io.outboard.softgpu.call.DeviceCalls;
import io.outboard.softgpu.call.ExecutionCalls;
import io.outboard.softgpu.call.GraphCalls;
import io.outboard.softgpu.call.GreenContextCalls;
import io.outboard.softgpu.call.HostMemoryCalls;
import io.outboard.softgpu.call.LinkerCalls;
import io.outboard.softgpu.call.ManagedMemoryCalls;
import io.outboard.softgpu.call.MemoryCalls;
import io.outboard.softgpu.call.ModuleCalls;
import io.outboard.softgpu.call.NeighbourCalls;
import io.outboard.softgpu.call.NoGraphics;
import io.outboard.softgpu.call.PoolCalls;
import io.outboard.softgpu.call.StreamCalls;
import io.outboard.softgpu.call.StreamValueCalls;
import io.outboard.softgpu.call.TensorMapCalls;
import io.outboard.softgpu.call.TextureCalls;
import io.outboard.softgpu.call.TextureReferenceCalls;
import io.outboard.softgpu.call.VirtualMemoryCalls;
import io.outboard.softgpu.device.KernelWatch;
import io.outboard.softgpu.device.Machine;
import io.outboard.softgpu.graph.GraphMemories;
import io.outboard.softgpu.management.Management;
import io.outboard.softgpu.management.SoftNvml;
import io.outboard.softgpu.memory.DeviceAddresses;
import io.outboard.softgpu.memory.DeviceMemory;
import io.outboard.softgpu.memory.SpilledMemory;
import io.outboard.softgpu.module.Libraries;
import io.outboard.softgpu.profile.DeviceProfile;
import io.outboard.softgpu.profile.HostSize;
import io.outboard.softgpu.share.Exchange;
import io.outboard.softgpu.share.Exports;
import io.outboard.softgpu.share.Imports;
import io.outboard.softgpu.share.PagedMemory;
import io.outboard.softgpu.share.PlacedMemory;
import io.outboard.wire.Slot;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * CUDA devices in pure Java. Kernels are PTX compiled to bytecode; memory is one mapping a device,
 * with device addresses from 0x2a0000000000, one TiB apart, or in a {@link Slot}.
 *
 * <p>All methods may be called from any thread; as in the vendor's library, a thread has a current
 * context. No method throws: a mistake of this program is logged and returned as {@link
 * io.outboard.cuda.CudaResult#UNKNOWN}.
 */
public final class SoftGpu extends CudaDriverTopics {
  /** Most devices. */
  public static final int MAX_DEVICES = 64;

  /** Most memory of a device: the distance of the devices' addresses. */
  public static final long MAX_MEMORY_BYTES = DeviceAddresses.STRIDE;

  private static final long DEFAULT_MEMORY_BYTES = 8L << 30;

  private final Machine machine;

  /** {@code exchange} is null where there are no other processes. */
  private SoftGpu(Machine machine, Exchange exchange) {
    Libraries libraries = new Libraries();
    Imports imports = new Imports(exchange);
    Exports exports = new Exports(machine, exchange);
    GraphMemories graphMemories = new GraphMemories();
    PlacedMemory placed = new PlacedMemory(machine);
    PagedMemory paged = new PagedMemory(machine, placed);
    machine.atEnd(libraries::forget);
    machine.atEnd(imports::closeAll);
    machine.atEnd(exports::forgetAll);
    machine.atEnd(paged::endAll);
    super(
        new CaptureCalls(machine),
        new ContextCalls(machine),
        new DeviceCalls(machine),
        new ExecutionCalls(machine),
        new NoGraphics(),
        new GraphCalls(machine, graphMemories),
        new GreenContextCalls(machine),
        new HostMemoryCalls(machine, placed),
        new LinkerCalls(machine),
        new ManagedMemoryCalls(machine, placed, paged),
        new MemoryCalls(machine, exports, imports, graphMemories, paged),
        new ModuleCalls(machine, libraries, placed),
        new NeighbourCalls(machine, exports, imports),
        new PoolCalls(machine, exports, imports, graphMemories),
        new StreamValueCalls(machine),
        new StreamCalls(machine, exports),
        new TensorMapCalls(machine),
        new TextureReferenceCalls(machine),
        new TextureCalls(machine),
        new VirtualMemoryCalls(machine));
    this.machine = machine;
  }

  /** Takes what a process's first kernel and allocation take for the first time, some 15 ms. */
  public static void prepare() {
    PtxKernel unused = FirstKernel.make();
  }

  /**
   * The same devices as the management library shows them.
   *
   * @param process the process that uses them
   */
  public NvmlDriver management(int process) {
    return new SoftNvml(new Management(machine), process);
  }

  /** Has a profiler told of work from here on, in place of the one before. */
  public void tell(WorkListener listener) {
    machine.workWatch().tell(listener);
  }

  /** The numbers by which a profiler is told of objects. */
  public ProfilerNumbers profilerNumbers() {
    return new ProfilerNumbers(machine);
  }

  /** Whether some stream has work that is not done. */
  public boolean isWorking() {
    return machine.isWorking();
  }

  /** Bytes of a device's memory that are taken: allocations, pools and variables of modules. */
  public long takenBytes(int device) {
    DeviceMemory memory = machine.device(device).memory();
    return memory.size() - memory.free();
  }

  /** Bytes of the devices' memory that have been written to, in whole pages. */
  public long heldBytes() {
    return SpilledMemory.held(machine.memoryFiles());
  }

  /**
   * Moves what the devices hold out of memory, until the result is closed. Nothing works meanwhile,
   * and nobody calls; no other process has memory of these devices.
   *
   * @param folder where the bytes go, to a file without a name
   * @throws IOException if there is no room for them: then all is as before
   */
  public PutAside putAside(Path folder) throws IOException {
    SpilledMemory spilled = SpilledMemory.write(machine.memoryFiles(), folder);
    return () -> {
      spilled.restore();
      spilled.close();
    };
  }

  /** What {@link #putAside} has moved. */
  public interface PutAside {
    /** Brings it back to where it was; once. */
    void bringBack() throws IOException;
  }

  @Override
  protected int thrown(Throwable failure) {
    return Failures.unexpected(failure);
  }

  /** Starts with one device of the default profile and memory. */
  public static Builder builder(DeviceConsole console) {
    return new Builder(console);
  }

  /** The parts of a software GPU. */
  public static final class Builder {
    private final DeviceConsole console;
    private int count = 1;
    private List<Integer> only;
    private long memoryBytes;
    private DeviceProfile profile;
    private Exchange exchange;
    private Duration kernelLimit;
    private Slot slot;

    private Builder(DeviceConsole console) {
      this.console = console;
    }

    /**
     * Sets the number of devices, 0 to {@link SoftGpu#MAX_DEVICES}; those whose profile is cut into
     * slices are as many devices each.
     */
    public Builder devices(int many) {
      if (many < 0 || many > MAX_DEVICES) {
        throw new IllegalArgumentException("0 to " + MAX_DEVICES + " devices, not " + many);
      }
      count = many;
      return this;
    }

    /**
     * Has only these devices of as many as there may be, counted from 0, in this order: each is the
     * one that it would be among all.
     */
    public Builder only(List<Integer> those) {
      only = List.copyOf(those);
      return this;
    }

    /**
     * Sets the memory of each device. Memory is only taken from the machine when it is touched;
     * memory that the machine could not give is not allocated. The default is what the profile
     * says, else half of the machine's, at most 8 GiB.
     */
    public Builder memoryBytes(long bytes) {
      if (bytes < 1 || bytes > MAX_MEMORY_BYTES) {
        throw new IllegalArgumentException("1 to " + MAX_MEMORY_BYTES + " bytes, not " + bytes);
      }
      memoryBytes = bytes;
      return this;
    }

    /** Sets what the devices say of themselves. */
    public Builder profile(DeviceProfile facts) {
      profile = facts;
      return this;
    }

    /**
     * Sets for how long a kernel may run, in milliseconds: one that runs for longer is stopped with
     * its context, whose error is {@link io.outboard.cuda.CudaResult#LAUNCH_TIMEOUT}. Without, a
     * kernel runs until it ends.
     */
    public Builder kernelLimit(Duration longest) {
      if (longest.toMillis() < 1) {
        throw new IllegalArgumentException("a kernel needs a millisecond or more: " + longest);
      }
      kernelLimit = longest;
      return this;
    }

    /** Sets how memory and events are handed to other processes; without, there are none. */
    public Builder exchange(Exchange others) {
      exchange = others;
      return this;
    }

    /**
     * Has all addresses lie in the upper range of a slot, which the devices share in equal parts.
     */
    public Builder in(Slot range) {
      slot = range;
      return this;
    }

    /**
     * Makes the devices.
     *
     * @throws IllegalArgumentException if they have more memory than a slot has addresses
     */
    public SoftGpu build() {
      DeviceProfile facts =
          profile != null
              ? profile
              : DeviceProfile.software(Runtime.getRuntime().availableProcessors());
      long bytes = memoryBytes != 0 ? memoryBytes : usualMemoryBytes(facts);
      List<Integer> numbers =
          only != null ? only : IntStream.range(0, count * facts.parts()).boxed().toList();
      DeviceAddresses addresses =
          slot == null ? DeviceAddresses.USUAL : DeviceAddresses.in(slot, numbers.size(), bytes);
      Machine machine =
          new Machine(numbers, facts, addresses, bytes, new KernelWatch(kernelLimit), console);
      return new SoftGpu(machine, exchange);
    }

    private static long usualMemoryBytes(DeviceProfile facts) {
      return facts.memoryBytes() != 0 ? facts.memoryBytes() : defaultMemoryBytes();
    }

    private static long defaultMemoryBytes() {
      long installed = HostSize.bytes();
      return installed == 0 ? DEFAULT_MEMORY_BYTES : Math.min(DEFAULT_MEMORY_BYTES, installed / 2);
    }
  }
}
