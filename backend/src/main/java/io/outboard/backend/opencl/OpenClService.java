// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.opencl;

import io.outboard.backend.devices.CudaDevices;
import io.outboard.backend.devices.DriverOutput;
import io.outboard.backend.library.Allotment;
import io.outboard.backend.library.DeviceChoice;
import io.outboard.backend.library.DeviceException;
import io.outboard.backend.library.HeldDevices;
import io.outboard.backend.library.LeasedObjects;
import io.outboard.backend.library.LibraryInstance;
import io.outboard.backend.library.LibraryService;
import io.outboard.backend.library.LoggedCalls;
import io.outboard.backend.library.SessionContext;
import io.outboard.backend.library.StatelessInstance;
import io.outboard.backend.library.WarmUpScript;
import io.outboard.backend.move.BulkMover;
import io.outboard.backend.move.PassedMemory;
import io.outboard.backend.quota.SessionCredit;
import io.outboard.backend.system.Log;
import io.outboard.backend.worker.Worker;
import io.outboard.communicator.posix.Processors;
import io.outboard.opencl.OpenClDriver;
import io.outboard.opencl.OpenClDriverDispatcher;
import io.outboard.opencl.OpenClDriverLogged;
import io.outboard.opencl.OpenClDriverTable;
import io.outboard.opencl.OpenClResult;
import io.outboard.opencl.transfer.BulkBytes;
import io.outboard.opencl.transfer.LandedTransfers;
import io.outboard.opencl.transfer.Landings;
import io.outboard.opencl.transfer.SharedBuffers;
import io.outboard.opencl.transfer.SharedVirtualMemory;
import io.outboard.opencl.transfer.StagedTransfers;
import io.outboard.opencl.vendor.ContextErrors;
import io.outboard.opencl.vendor.LeasedDevices;
import io.outboard.opencl.vendor.ProcessorDevices;
import io.outboard.opencl.vendor.ServedDevices;
import io.outboard.opencl.vendor.VendorOpenCl;
import io.outboard.wire.Dispatcher;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.BitSet;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** OpenCL as a library of the backend: the host's own. */
public final class OpenClService implements LibraryService {
  private static final String LIBRARY = "libOpenCL.so.1";
  private static final String OWN_CALLS = "outboard";

  @Override
  public String library() {
    return OpenClDriverTable.LIBRARY;
  }

  @Override
  public int number() {
    return OpenClDriverTable.ID;
  }

  @Override
  public long kinds() {
    return OpenClDriverTable.KINDS;
  }

  /** Loads the platforms' libraries, which bring compilers, where OpenCL is all that is served. */
  @Override
  public void prepare(String devices, BooleanSupplier enough) {
    DeviceChoice.Kind kind = DeviceChoice.parse(devices).kind();
    if (kind == DeviceChoice.Kind.SOFTWARE) {
      return;
    }
    try {
      VendorOpenCl host = VendorOpenCl.load(LIBRARY);
      if (kind == DeviceChoice.Kind.OPENCL) {
        loadPlatforms(host);
      }
      host.bindAll(enough);
    } catch (IllegalArgumentException e) {
      Log.debug(e.getMessage());
    }
  }

  private static void loadPlatforms(VendorOpenCl host) {
    try (Arena arena = Arena.ofConfined()) {
      int unused = host.clGetPlatformIDs(0, 0, arena.allocate(ValueLayout.JAVA_INT).address());
    }
  }

  /** Of no use without the host's library, but to the start-up cache of another host. */
  @Override
  public Optional<WarmUpScript> warmUpScript(String devices) {
    if (DeviceChoice.parse(devices).kind() == DeviceChoice.Kind.SOFTWARE) {
      return Optional.empty();
    }
    Optional<VendorOpenCl> host = refusing();
    return host.isPresent() || Worker.isTraining()
        ? Optional.of(new OpenClWarmUp(host))
        : Optional.empty();
  }

  /**
   * The host's library, if it is there and refuses calls without objects, as loaders do before they
   * look for any platform.
   */
  private static Optional<VendorOpenCl> refusing() {
    try {
      return Optional.of(VendorOpenCl.load(LIBRARY))
          .filter(host -> host.clFinish(0) == OpenClResult.INVALID_COMMAND_QUEUE);
    } catch (IllegalArgumentException e) {
      Log.debug(e.getMessage());
      return Optional.empty();
    }
  }

  /** Kernels on processors are such code. NVIDIA's platform has none. */
  @Override
  public boolean runsNativeCode(String devices) {
    DeviceChoice.Kind kind = DeviceChoice.parse(devices).kind();
    return kind == DeviceChoice.Kind.AUTO || kind == DeviceChoice.Kind.OPENCL;
  }

  /** The platforms whose devices are GPUs, one and all. */
  @Override
  public LibraryInstance openWithoutNativeCode(SessionContext context) throws DeviceException {
    return open(context, CudaDevices.choice(context.devices()).platform(), ServedDevices.Part.GPUS);
  }

  @Override
  public LibraryInstance open(SessionContext context) throws DeviceException {
    DeviceChoice choice = CudaDevices.choice(context.devices());
    if (choice.kind() == DeviceChoice.Kind.SOFTWARE) {
      throw DeviceException.unwanted("this backend serves the software GPU, which has no OpenCL");
    }
    return open(context, choice.platform(), ServedDevices.Part.ALL);
  }

  private static LibraryInstance open(
      SessionContext context, String platform, ServedDevices.Part part) throws DeviceException {
    CudaDevices.showAllotted(context);
    try {
      VendorOpenCl host = VendorOpenCl.load(LIBRARY);
      Optional<OpenClLease> lease = lease(host, context);
      OpenClDriver around = around(host, context);
      OpenClDriver leased =
          lease
              .<OpenClDriver>map(its -> new LeasedDevices(around, its::mayHave, its::limit))
              .orElse(around);
      OpenClDriver served = ServedDevices.of(leased, platform, part);
      Dispatcher dispatcher =
          LoggedCalls.dispatcher(
              context,
              served,
              OpenClDriverDispatcher::new,
              OpenClDriverLogged.STRUCTURES,
              OpenClDriverLogged::new);
      LeasedObjects objects = lease.<LeasedObjects>map(its -> its).orElse(LeasedObjects.PLAIN);
      return new StatelessInstance(dispatcher, calls(host), true, HeldDevices.UNKNOWN, objects);
    } catch (IllegalArgumentException e) {
      String more = part == ServedDevices.Part.GPUS ? "; of processors: " + NO_NATIVE_CODE : "";
      throw new DeviceException("this backend has no OpenCL: " + e.getMessage() + more);
    }
  }

  private static Optional<OpenClLease> lease(VendorOpenCl host, SessionContext context) {
    Allotment allotment = context.allotment();
    boolean alone = DeviceChoice.parse(context.devices()).kind() == DeviceChoice.Kind.OPENCL;
    return allotment.isEverything()
        ? Optional.empty()
        : Optional.of(new OpenClLease(host, allotment, SessionCredit.of(context), alone));
  }

  /** The decorators around the host's library. */
  private static OpenClDriver around(VendorOpenCl host, SessionContext context) {
    Landings landings = new Landings(host);
    BulkBytes bulk = new BulkHostCopies(BulkMover.of(context));
    OpenClDriver awaited = awaited(host, landings, context, DriverOutput::capture);
    OpenClDriver virtual = new SharedVirtualMemory(host, landings, awaited);
    OpenClDriver staged = new StagedTransfers(host, landings, bulk, virtual);
    SharedBuffers.Area passed = bytes -> PassedMemory.map(context::descriptor, bytes);
    OpenClDriver shared = new SharedBuffers(host, staged, passed, PassedMemory::unmap);
    OpenClDriver told = new ContextErrors(host, shared);
    return new ProcessorDevices(told, Processors::areDevice);
  }

  /**
   * Adds the decorators that act on each single call, nearest to the library. A decorator that only
   * hands a call on would cost another way through cold caches. Warm-ups do the same with the same
   * objects, but an output that says nothing.
   */
  static OpenClDriver awaited(
      OpenClDriver host, Landings landings, SessionContext context, Output output) {
    BulkMover mover = BulkMover.of(context);
    OpenClDriver landed = new LandedTransfers(host, landings, new BulkHostCopies(mover));
    OpenClDriver bulk = new OpenClBulkCopies(host, landed, mover);
    return new LearntEnds(bulk, printed(output, context));
  }

  /** The source of the driver's output. */
  interface Output {
    DriverOutput open() throws IOException;
  }

  /** Whether something was printed is asked each time: kernels that print may be rare. */
  private static Runnable printed(Output from, SessionContext context) {
    try {
      DriverOutput output = from.open();
      return () -> output.forward(context, true);
    } catch (IOException e) {
      Log.warn("what kernels print stays here: " + e.getMessage());
      return () -> {};
    }
  }

  private static BitSet calls(VendorOpenCl host) {
    BitSet calls = new BitSet();
    for (int number = 1; number <= OpenClDriverTable.LEVEL; number++) {
      String name = OpenClDriverTable.name(number);
      calls.set(number, name != null && (name.startsWith(OWN_CALLS) || host.has(number)));
    }
    return calls;
  }
}
