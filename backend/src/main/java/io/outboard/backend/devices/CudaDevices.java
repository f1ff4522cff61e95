// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.devices;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outboard.backend.library.Allotment;
import io.outboard.backend.library.DeviceChoice;
import io.outboard.backend.library.DeviceException;
import io.outboard.backend.library.SessionContext;
import io.outboard.backend.quota.NvmlProcessMemory;
import io.outboard.backend.quota.ProcessMemory;
import io.outboard.backend.system.Environment;
import io.outboard.backend.system.Log;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaDriverTable;
import io.outboard.cuda.CudaResult;
import io.outboard.cuda.vendor.VendorCudaDriver;
import io.outboard.softgpu.SoftGpu;
import io.outboard.softgpu.base.DeviceConsole;
import io.outboard.softgpu.profile.DeviceProfile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;

/** Opens the devices that a session gets (see {@link DeviceChoice}). */
public final class CudaDevices {
  /** The library that automatic choice looks for. */
  private static final String VENDOR_LIBRARY = "libcuda.so.1";

  /** A property of workers that tell the client when {@code auto} is the software GPU. */
  public static final String TELL_FALLBACK = "outboard.tell.fallback";

  /** A property of workers: for how many milliseconds a kernel of a software GPU may run. */
  public static final String KERNEL_LIMIT = "outboard.kernel.limit";

  private CudaDevices() {}

  /**
   * A driver, the calls that it has, what takes the results of calls that may wait, and what tells
   * how much of the devices' memory this process holds.
   */
  public record Opened(CudaDriver driver, BitSet calls, IntConsumer waited, ProcessMemory memory) {
    /** One whose devices tell nothing. */
    public Opened(CudaDriver driver, BitSet calls, IntConsumer waited) {
      this(driver, calls, waited, ProcessMemory.UNKNOWN);
    }
  }

  /**
   * Binds the vendor's library where it may be wanted, else prepares software GPUs where they may
   * be. Errors are told to a session later.
   */
  public static void prepare(String devices, BooleanSupplier enough) {
    VendorCudaDriver driver = wanted(devices);
    if (driver != null) {
      driver.bindAll(enough);
      Log.debug("the driver has " + VendorCalls.CALLS.cardinality() + " calls");
    } else if (DeviceChoice.parse(devices).mayBeSoftware() && !enough.getAsBoolean()) {
      SoftGpu.prepare();
    }
  }

  /**
   * The vendor's driver where it may be wanted, before anything has initialised it: each of its
   * functions then returns that and nothing else (CUDA Driver API, Initialization).
   */
  public static Optional<CudaDriver> uninitialized(String devices) {
    return Optional.<CudaDriver>ofNullable(wanted(devices))
        .filter(driver -> driver.cuCtxSynchronize() == CudaResult.NOT_INITIALIZED);
  }

  private static VendorCudaDriver wanted(String devices) {
    return DeviceChoice.parse(devices).mayBeNvidia() ? Vendor.DRIVER : null;
  }

  static Opened open(SessionContext context) throws DeviceException {
    showAllotted(context);
    if (context.allotment().percent() < Allotment.WHOLE) {
      Environment.limitThreads(context.allotment().percent());
    }
    DeviceChoice choice = choice(context.devices());
    return switch (choice.kind()) {
      case AUTO -> vendorOrSoftware(context);
      case NVIDIA -> vendor(context);
      case SOFTWARE -> software(context, choice);
      case OPENCL ->
          throw DeviceException.unwanted("this backend serves OpenCL, and no CUDA device");
    };
  }

  /** Has the vendor's libraries show the session's devices and no others. */
  public static void showAllotted(SessionContext context) {
    if (!context.allotment().isEverything()) {
      Environment.showDevices(uuids(context.allotment()));
    }
  }

  static List<String> uuids(Allotment allotment) {
    return allotment.gpus().stream().map(Allotment.Gpu::uuid).toList();
  }

  public static DeviceChoice choice(String wanted) throws DeviceException {
    try {
      return DeviceChoice.parse(wanted);
    } catch (IllegalArgumentException e) {
      throw new DeviceException(e.getMessage());
    }
  }

  /** Initialises the vendor's driver, if there is one; whether it can be used. */
  public static boolean initializeVendor() {
    return Vendor.DRIVER != null && Vendor.DRIVER.cuInit(0) == CudaResult.SUCCESS;
  }

  private static Opened vendorOrSoftware(SessionContext context) throws DeviceException {
    Opened vendor = tryVendor(context);
    if (vendor != null) {
      return vendor;
    }
    if (Boolean.getBoolean(TELL_FALLBACK)) {
      context.message("there is no NVIDIA GPU that can be used here; this is the software GPU");
    }
    return software(context, new DeviceChoice(DeviceChoice.Kind.SOFTWARE, 1, "", ""));
  }

  private static Opened vendor(SessionContext context) throws DeviceException {
    Opened vendor = tryVendor(context);
    if (vendor == null) {
      throw new DeviceException(
          "this backend has no NVIDIA GPU: no driver, or no device that it can use");
    }
    return vendor;
  }

  private static Opened tryVendor(SessionContext context) throws DeviceException {
    VendorCudaDriver driver = Vendor.DRIVER;
    if (driver == null) {
      return null;
    }
    if (context.slot().isPresent()) {
      AddressSpace.confine(context.slot().get());
    }
    if (context.slot().isPresent() && driver.cuInit(0) != CudaResult.NO_DEVICE) {
      new SlotCheck(driver, context.slot().get()).run();
    }
    return usable(context, driver);
  }

  /** Null where the driver has no device. */
  private static Opened usable(SessionContext context, VendorCudaDriver driver) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment count = arena.allocate(ValueLayout.JAVA_INT);
      boolean usable =
          driver.cuInit(0) == CudaResult.SUCCESS
              && driver.cuDeviceGetCount(count.address()) == CudaResult.SUCCESS
              && count.get(ValueLayout.JAVA_INT, 0) > 0;
      return usable
          ? new Opened(
              driver,
              VendorCalls.CALLS,
              output(context),
              new NvmlProcessMemory(VendorManagement::ofThisProcess, uuids(context.allotment())))
          : null;
    }
  }

  /** A process loads it once. */
  private static final class Vendor {
    static final VendorCudaDriver DRIVER = load();

    private static VendorCudaDriver load() {
      try {
        return VendorCudaDriver.load(VENDOR_LIBRARY);
      } catch (IllegalArgumentException e) {
        Log.debug(e.getMessage());
        return null;
      }
    }
  }

  /** Looked up once: hundreds of symbols. */
  private static final class VendorCalls {
    static final BitSet CALLS = calls(Vendor.DRIVER);
  }

  private static IntConsumer output(SessionContext context) {
    try {
      DriverOutput output = DriverOutput.capture();
      return result -> output.forward(context, result != CudaResult.SUCCESS);
    } catch (IOException e) {
      Log.warn("what kernels print stays here: " + e.getMessage());
      return _ -> {};
    }
  }

  private static BitSet calls(VendorCudaDriver driver) {
    BitSet calls = new BitSet();
    for (int number = 1; number <= CudaDriverTable.LEVEL; number++) {
      calls.set(number, driver.has(number));
    }
    return calls;
  }

  private static Opened software(SessionContext context, DeviceChoice choice)
      throws DeviceException {
    SoftGpu.Builder builder =
        SoftGpu.builder(new Console(context))
            .devices(choice.count())
            .exchange(new WorkerExchange());
    if (!context.allotment().isEverything()) {
      builder.only(context.allotment().gpus().stream().map(Allotment.Gpu::number).toList());
    }
    if (!choice.profile().isEmpty()) {
      builder.profile(DeviceProfile.named(choice.profile()));
    }
    Optional.ofNullable(Long.getLong(KERNEL_LIMIT))
        .ifPresent(limit -> builder.kernelLimit(Duration.ofMillis(limit)));
    context.slot().ifPresent(builder::in);
    SoftGpu driver = build(builder);
    BitSet calls = new BitSet();
    for (int number = 1; number <= CudaDriverTable.LEVEL; number++) {
      calls.set(number, CudaDriverTable.name(number) != null);
    }
    return new Opened(driver, calls, _ -> {}, gpu -> OptionalLong.of(driver.takenBytes(gpu)));
  }

  private static SoftGpu build(SoftGpu.Builder builder) throws DeviceException {
    try {
      return builder.build();
    } catch (IllegalArgumentException e) {
      throw new DeviceException("this backend cannot be joined: " + e.getMessage());
    }
  }

  /** The output of the software GPU goes to the client. */
  private record Console(SessionContext context) implements DeviceConsole {
    @Override
    public void output(String text) {
      context.output(text.getBytes(UTF_8));
    }

    @Override
    public void error(String text) {
      context.error(text.getBytes(UTF_8));
    }

    @Override
    public void message(String line) {
      context.message(line);
    }
  }
}
