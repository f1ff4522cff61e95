// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.cuda;

import io.outboard.backend.devices.CudaDevices;
import io.outboard.backend.devices.DriverDevices;
import io.outboard.backend.devices.LeasedDevices;
import io.outboard.backend.devices.SessionDevices;
import io.outboard.backend.devices.SoftwareDevices;
import io.outboard.backend.devices.WorkerExchange;
import io.outboard.backend.gl.GlService;
import io.outboard.backend.gl.SessionGl;
import io.outboard.backend.graphics.CopiedGraphics;
import io.outboard.backend.graphics.GraphicsCalls;
import io.outboard.backend.library.CheckpointBlockers;
import io.outboard.backend.library.DeviceChoice;
import io.outboard.backend.library.DeviceException;
import io.outboard.backend.library.HeldDevices;
import io.outboard.backend.library.LibraryInstance;
import io.outboard.backend.library.LibraryService;
import io.outboard.backend.library.LoggedCalls;
import io.outboard.backend.library.SessionContext;
import io.outboard.backend.library.WarmUpScript;
import io.outboard.backend.move.BulkMover;
import io.outboard.backend.move.CudaBulkCopies;
import io.outboard.backend.move.CudaLinkCopies;
import io.outboard.backend.move.CudaStagedUploads;
import io.outboard.backend.move.HostMemory;
import io.outboard.backend.move.LinkedHosts;
import io.outboard.backend.profile.SessionProfile;
import io.outboard.backend.route.AnsweredCalls;
import io.outboard.backend.route.RoutedCuda;
import io.outboard.backend.route.RoutedStaging;
import io.outboard.backend.route.SharedSources;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaDriverDispatcher;
import io.outboard.cuda.CudaDriverLogged;
import io.outboard.cuda.CudaDriverTable;
import io.outboard.cuda.CudaKinds;
import io.outboard.cuda.CudaResult;
import io.outboard.cuda.vendor.VendorCudaDriver;
import io.outboard.softgpu.SoftGpu;
import io.outboard.wire.Dispatcher;
import io.outboard.wire.Handles;
import java.util.BitSet;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** CUDA as a library of the backend. */
public final class CudaService implements LibraryService {
  @Override
  public String library() {
    return CudaDriverTable.LIBRARY;
  }

  @Override
  public int number() {
    return CudaDriverTable.ID;
  }

  @Override
  public long kinds() {
    return CudaDriverTable.KINDS;
  }

  /** Kernels are code of GPUs, or of the software GPU, which checks each access. */
  @Override
  public boolean runsNativeCode(String devices) {
    return false;
  }

  @Override
  public LibraryInstance open(SessionContext context) throws DeviceException {
    return serve(context, SessionDevices.of(context).cuda());
  }

  @Override
  public void prepare(String devices, BooleanSupplier enough) {
    CudaDevices.prepare(devices, enough);
  }

  @Override
  public Optional<WarmUpScript> warmUpScript(String devices) {
    return DeviceChoice.parse(devices).kind() == DeviceChoice.Kind.OPENCL
        ? Optional.empty()
        : Optional.of(new CudaWarmUp(CudaDevices.uninitialized(devices)));
  }

  /** Serves a session with a driver. */
  public static LibraryInstance serve(SessionContext context, CudaDevices.Opened opened) {
    return new Instance(context, opened);
  }

  private static final class Instance implements LibraryInstance {
    private final SessionContext context;
    private final CudaDevices.Opened opened;
    private final BitSet calls;
    private final LostContexts lost;
    private final CudaThreads threads;
    private final HeldDevices held;
    private final Dispatcher dispatcher;
    private final SessionProfile profile;

    Instance(SessionContext context, CudaDevices.Opened opened) {
      this.context = context;
      this.profile = SessionProfile.of(context);
      this.opened = opened;
      CudaDriver driver = leased(context);
      Optional<ImageFiles> kept = ImageFiles.ofThisProcess();
      BitSet loaded = kept.isPresent() ? opened.calls() : ImagesByContent.without(opened.calls());
      CudaDriver images =
          kept.<CudaDriver>map(files -> new ImagesByContent(driver, files)).orElse(driver);
      CudaDriver mirrored =
          opened.driver() instanceof VendorCudaDriver vendor
              ? new MirroredVariables(new HostPages(images), vendor::currentContext)
              : images;
      CudaDriver observed = new SharingObserver(mirrored, CheckpointBlockers.of(context));
      CudaDriver shared = new SharedDescriptors(observed, new WorkerExchange());
      CudaDriver linked = new CudaLinkCopies(staged(shared), LinkedHosts.of(context));
      CudaDriver bulk = new CudaBulkCopies(linked, BulkMover.of(context));
      CudaCaptures captures = new CudaCaptures(SharedSources.of(bulk, opened.driver()));
      this.lost = new LostContexts(result -> dispatcher().lasts(result));
      HostMemory memory = new HostMemory(captures, context::descriptor, context.room());
      this.calls = memory.possible(loaded);
      this.threads = new CudaThreads(RoutedStaging.of(memory, opened.driver()), lost);
      this.held =
          opened.driver() instanceof SoftGpu gpu
              ? new SoftwareDevices(gpu)
              : new DriverDevices(context, opened.driver(), captures::isOpen);
      this.dispatcher =
          AnsweredCalls.of(
              context,
              graphics(
                  LoggedCalls.<CudaDriver>dispatcher(
                      context,
                      threads,
                      CudaDriverDispatcher::new,
                      CudaDriverLogged.STRUCTURES,
                      CudaDriverLogged::new)));
    }

    private Dispatcher graphics(Dispatcher calls) {
      return GlService.isAllowed()
          ? new GraphicsCalls(calls, context, threads::ofThisThread)
          : calls;
    }

    /** Bytes for another host are staged there. */
    private CudaDriver staged(CudaDriver driver) {
      return opened.driver() instanceof RoutedCuda ? driver : new CudaStagedUploads(driver);
    }

    /** Of several hosts each keeps its own devices to the lease, this one next to its driver. */
    private CudaDriver leased(SessionContext its) {
      return opened.driver() instanceof RoutedCuda
          ? opened.driver()
          : withOpenGl(LeasedDevices.of(opened, its));
    }

    private CudaDriver withOpenGl(CudaDriver driver) {
      return opened.driver() instanceof SoftGpu && GlService.isAllowed()
          ? new CopiedGraphics(driver, SessionGl.of(context))
          : driver;
    }

    @Override
    public Dispatcher dispatcher() {
      return dispatcher;
    }

    @Override
    public BitSet calls() {
      return calls;
    }

    /** The lane is the index of the context's handle: makes that context current to this thread. */
    @Override
    public void enter(int lane, int thread) {
      long handle = handle(lane);
      if (!threads.isIn(handle)) {
        threads.enter(handle, value(handle, lane));
      }
    }

    @Override
    public void issues(long sequence) {
      profile.issues(sequence);
    }

    @Override
    public long perThread(int lane, int thread, int kind, long special) {
      long handle = handle(lane);
      return handle == 0 ? special : threads.streamOf(thread, handle, value(handle, lane));
    }

    private long handle(int lane) {
      return lane == 0 ? 0 : context.handleAt(CudaKinds.CONTEXT, lane);
    }

    /** No context where it ends just now. */
    private long value(long handle, int lane) {
      long value = handle == 0 ? 0 : context.valueAt(CudaKinds.CONTEXT, lane);
      return value == Handles.INVALID ? 0 : value;
    }

    @Override
    public HeldDevices held() {
      return held;
    }

    @Override
    public int told(int lane, int result) {
      return result == CudaResult.SUCCESS ? result : lost.told(handle(lane), result);
    }

    @Override
    public void waited(int result) {
      opened.waited().accept(result);
    }

    @Override
    public void threadEnded(int thread) {}

    @Override
    public void close() {
      // A driver frees what a process held when that ends.
    }
  }
}
