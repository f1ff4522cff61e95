// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.devices.SilentConsole;
import io.outboard.backend.system.NativeBuffer;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaDriverForwarding;
import io.outboard.cuda.CudaResult;
import io.outboard.softgpu.SoftGpu;
import io.outboard.wire.Native;
import io.outboard.wire.Slot;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Calls find their host, and a host is believed what is its own. */
class RoutedCudaTest {
  private static final Slot HERE = new Slot(0);
  private static final int BYTES = 4096;

  private final NativeBuffer buffer = new NativeBuffer(4L * BYTES);
  private final long out = buffer.address();
  private final long data = buffer.address() + BYTES;
  private FarHost host;
  private CudaDriver gpus;

  private static SoftGpu.Builder gpu() {
    return SoftGpu.builder(new SilentConsole()).memoryBytes(64 << 20);
  }

  /** Two devices here and two there, whatever the far one says of itself. */
  private void begin(SoftGpu.Builder there, int tag) throws IOException {
    begin(there.devices(2).build(), tag);
  }

  private void begin(CudaDriver there, int tag) throws IOException {
    host = new FarHost(there, tag);
    gpus = host.with(gpu().devices(2).in(HERE).build());
    ok(gpus.cuInit(0));
  }

  private void begin() throws IOException {
    begin(gpu().in(FarHost.SLOT), FarHost.SLOT.number());
  }

  @AfterEach
  void end() {
    host.close();
    buffer.close();
  }

  private static void ok(int result) {
    assertEquals(CudaResult.SUCCESS, result);
  }

  private long context(int device) {
    ok(gpus.cuDevicePrimaryCtxRetain(out, device));
    long context = Native.getLong(out);
    ok(gpus.cuCtxSetCurrent(context));
    return context;
  }

  private long allocate() {
    ok(gpus.cuMemAlloc_v2(out, BYTES));
    return Native.getLong(out);
  }

  @Test
  void devicesOfOthersAreBehindThoseHere() throws IOException {
    begin();
    ok(gpus.cuDeviceGetCount(out));
    assertEquals(4, Native.getInt(out));
    assertEquals(CudaResult.INVALID_DEVICE, gpus.cuDevicePrimaryCtxRetain(out, 4));
    assertEquals(CudaResult.INVALID_DEVICE, gpus.cuDeviceGetName(out, 99, -1));
    for (int device = 0; device < 4; device++) {
      context(device);
      long memory = allocate();
      assertTrue((device < 2 ? HERE : FarHost.SLOT).holds(memory));
      ok(gpus.cuStreamGetDevice(0, out));
      assertEquals(device, Native.getInt(out));
      ok(gpus.cuMemFree_v2(memory));
    }
  }

  @Test
  void anAddressFindsItsHostFromAnyContext() throws IOException {
    begin();
    long[] memories = new long[4];
    for (int device = 0; device < 4; device++) {
      context(device);
      memories[device] = allocate();
    }
    for (int from = 0; from < 4; from++) {
      ok(gpus.cuCtxSetCurrent(context(from)));
      for (int device = 0; device < 4; device++) {
        ok(gpus.cuMemsetD32_v2(memories[device], 10 * from + device, BYTES / 4));
        ok(gpus.cuMemcpyDtoH_v2(data, memories[device], BYTES));
        assertEquals(10 * from + device, Native.getInt(data + BYTES - 4));
      }
    }
    for (int to = 0; to < 4; to++) {
      ok(gpus.cuMemcpyDtoD_v2(memories[to], memories[(to + 2) % 4], BYTES / 2));
      ok(gpus.cuMemcpyDtoH_v2(data, memories[to], BYTES));
      assertEquals(to < 2 ? 30 + (to + 2) % 4 : 30 + to, Native.getInt(data));
      assertEquals(30 + to, Native.getInt(data + BYTES / 2));
    }
  }

  @Test
  void handlesOfTwoHostsAreRefusedInOneCall() throws IOException {
    begin();
    context(0);
    ok(gpus.cuStreamCreate(out, 1));
    long stream = Native.getLong(out);
    context(2);
    ok(gpus.cuEventCreate(out, 0));
    long event = Native.getLong(out);
    assertEquals(CudaResult.INVALID_HANDLE, gpus.cuEventRecord(event, stream));
    ok(gpus.cuEventRecord(event, 0));
    ok(gpus.cuStreamWaitEvent(stream, event, 0));
    ok(gpus.cuStreamSynchronize(stream));
    ok(gpus.cuDeviceCanAccessPeer(out, 0, 2));
    assertEquals(0, Native.getInt(out));
    ok(gpus.cuDeviceCanAccessPeer(out, 2, 3));
  }

  private long event() {
    ok(gpus.cuEventCreate(out, 0));
    return Native.getLong(out);
  }

  @Test
  void anEventIsAskedAndAwaitedFromAContextOfAnotherHost() throws IOException {
    begin();
    context(2);
    long flag = allocate();
    ok(gpus.cuMemsetD32_v2(flag, 0, 1));
    ok(gpus.cuStreamCreate(out, 1));
    long stream = Native.getLong(out);
    long there = event();
    ok(gpus.cuStreamWaitValue32_v2(stream, flag, 1, 1));
    ok(gpus.cuEventRecord(there, stream));
    context(0);
    long here = event();
    ok(gpus.cuEventRecord(here, 0));
    assertEquals(CudaResult.NOT_READY, gpus.cuEventQuery(there));
    ok(gpus.cuMemsetD32_v2(flag, 1, 1));
    ok(gpus.cuEventSynchronize(there));
    ok(gpus.cuEventQuery(there));
    assertEquals(CudaResult.INVALID_HANDLE, gpus.cuEventElapsedTime_v2(out, here, there));
    assertEquals(CudaResult.INVALID_HANDLE, gpus.cuEventElapsedTime_v2(out, there, here));
    ok(gpus.cuEventElapsedTime_v2(out, there, there));
    ok(gpus.cuEventDestroy_v2(there));
  }

  /** As NVIDIA's driver, which tells no name of a kernel where it has no context. */
  private static final class Nameless extends CudaDriverForwarding {
    Nameless(CudaDriver driver) {
      super(driver);
    }

    @Override
    public int outboardFunctionName(long name, int length, long function) {
      return CudaResult.INVALID_CONTEXT;
    }
  }

  @Test
  void aKernelIsFoundOnAnotherHostByItsName() throws IOException {
    host = new FarHost(gpu().in(FarHost.SLOT).build(), FarHost.SLOT.number());
    gpus = host.with(new Nameless(gpu().in(HERE).build()));
    ok(gpus.cuInit(0));
    context(0);
    try (Arena arena = Arena.ofConfined()) {
      String code =
          ".version 6.3 .target sm_75 .address_size 64 .visible .entry nothing() { ret; }";
      ok(gpus.cuLibraryLoadData(out, arena.allocateFrom(code).address(), code.length() + 1));
      long library = Native.getLong(out);
      ok(gpus.cuLibraryGetKernel(out, library, arena.allocateFrom("nothing").address()));
      long kernel = Native.getLong(out);
      ok(gpus.cuKernelGetAttribute(out, 0, kernel, 1));
      ok(gpus.cuLibraryUnload(library));
      assertEquals(CudaResult.INVALID_HANDLE, gpus.cuKernelGetAttribute(out, 0, kernel, 1));
    }
  }

  /** A device whose work goes on when somebody waits for all of it. */
  private static final class Held extends CudaDriverForwarding {
    private volatile long flag;

    Held(CudaDriver delegate) {
      super(delegate);
    }

    @Override
    public int cuCtxSynchronize() {
      delegate.cuMemsetD32_v2(flag, 1, 1);
      return delegate.cuCtxSynchronize();
    }
  }

  @Test
  void aCopyBetweenContextsWaitsForTheWorkOfBoth() throws IOException {
    Held far = new Held(gpu().in(FarHost.SLOT).devices(2).build());
    begin(far, FarHost.SLOT.number());
    long there = context(2);
    far.flag = allocate();
    ok(gpus.cuMemsetD32_v2(far.flag, 0, 1));
    long source = allocate();
    ok(gpus.cuStreamCreate(out, 1));
    long stream = Native.getLong(out);
    ok(gpus.cuStreamWaitValue32_v2(stream, far.flag, 1, 1));
    ok(gpus.cuMemsetD32Async(source, 7, BYTES / 4, stream));
    long here = context(0);
    long destination = allocate();
    ok(gpus.cuMemcpyPeer(destination, here, source, there, BYTES));
    ok(gpus.cuMemcpyDtoH_v2(data, destination, BYTES));
    assertEquals(7, Native.getInt(data + BYTES - 4));
  }

  @Test
  void aPrimaryContextKeepsItsHandle() throws IOException {
    begin();
    long context = context(2);
    for (int i = 0; i < 5; i++) {
      ok(gpus.cuDevicePrimaryCtxRelease_v2(2));
      assertEquals(context, context(2));
      long memory = allocate();
      ok(gpus.cuCtxCreate_v2(out, 0, 3));
      ok(gpus.cuCtxDestroy_v2(Native.getLong(out)));
      ok(gpus.cuCtxSetCurrent(context));
      ok(gpus.cuMemFree_v2(memory));
    }
  }

  /** The order of a stream there has a function of this process. */
  @Test
  void aFunctionRunsInTheStreamOfAnotherHost() throws IOException {
    begin();
    context(2);
    long memory = allocate();
    ok(gpus.cuStreamCreate(out, 1));
    long stream = Native.getLong(out);
    AtomicInteger seen = new AtomicInteger();
    try (Arena arena = Arena.ofShared()) {
      long function = upcall(arena, round -> seen.addAndGet((int) round));
      for (int round = 1; round <= 1000; round++) {
        ok(gpus.cuLaunchHostFunc(stream, function, round));
        ok(gpus.cuMemsetD32Async(memory, round, 1, stream));
      }
      ok(gpus.cuStreamSynchronize(stream));
    }
    assertEquals(1000 * 1001 / 2, seen.get());
  }

  private static long upcall(Arena arena, LongConsumer function) {
    try {
      MethodHandle call =
          MethodHandles.lookup()
              .findVirtual(
                  LongConsumer.class, "accept", MethodType.methodType(void.class, long.class))
              .bindTo(function);
      FunctionDescriptor type = FunctionDescriptor.ofVoid(ValueLayout.JAVA_LONG);
      return Linker.nativeLinker().upcallStub(call, type, arena).address();
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("the method is there", e);
    }
  }

  /** A result that somebody waits for is that of the call itself. */
  @Test
  void aPostedCallIsAnsweredWhereSomebodyWaits() throws IOException {
    begin();
    context(2);
    host.answering(true);
    assertEquals(CudaResult.INVALID_VALUE, gpus.cuMemsetD32_v2(FarHost.SLOT.lower(), 1, 1));
    host.answering(false);
    ok(gpus.cuMemsetD32_v2(FarHost.SLOT.lower(), 1, 1));
    assertEquals(CudaResult.INVALID_VALUE, gpus.cuCtxSynchronize());
  }

  @Test
  void anAddressOfNobodyIsAnErrorOfTheContextsHost() throws IOException {
    begin();
    context(2);
    assertEquals(CudaResult.INVALID_VALUE, gpus.cuMemcpyDtoH_v2(data, 0x1234567, 4));
    assertEquals(CudaResult.INVALID_VALUE, gpus.cuMemcpyDtoHAsync_v2(data, 0x1234567, 4, 0));
    assertEquals(CudaResult.INVALID_VALUE, gpus.outboardCopyToHost(data, 0x1234567, 4, 0, 0));
  }

  private void isLost() {
    assertEquals(CudaResult.DEVICE_UNAVAILABLE, gpus.cuCtxSynchronize());
    assertEquals(CudaResult.DEVICE_UNAVAILABLE, gpus.cuMemGetInfo_v2(out, out + 8));
    context(1);
    ok(gpus.cuMemsetD32_v2(allocate(), 7, BYTES / 4));
    ok(gpus.cuCtxSynchronize());
  }

  @Test
  void aHostThatHasGoneIsAnErrorOfItsDevices() throws IOException {
    begin();
    context(2);
    host.end();
    int result = CudaResult.SUCCESS;
    while (result == CudaResult.SUCCESS) {
      result = gpus.cuCtxSynchronize();
    }
    isLost();
  }

  @Test
  void anAddressOutsideOfItsSlotIsNotBelieved() throws IOException {
    begin(gpu(), FarHost.SLOT.number());
    context(2);
    assertEquals(CudaResult.DEVICE_UNAVAILABLE, gpus.cuMemAlloc_v2(out, BYTES));
    isLost();
  }

  @Test
  void aHandleOfAnotherHostIsNotBelieved() throws IOException {
    begin(gpu().in(FarHost.SLOT), 0);
    context(2);
    assertEquals(CudaResult.DEVICE_UNAVAILABLE, gpus.cuDeviceGetDefaultMemPool(out, 2));
    isLost();
  }
}
