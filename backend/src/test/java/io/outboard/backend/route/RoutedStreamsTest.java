// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaDriverForwarding;
import io.outboard.cuda.CudaResult;
import io.outboard.softgpu.device.Stream;
import io.outboard.wire.Native;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams are held for work between hosts, and threads are not. */
// In another thread: a call that hangs does not heed interrupts.
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RoutedStreamsTest extends TwoHosts {
  /** {@code CU_STREAM_WAIT_VALUE_EQ}. */
  private static final int EQUAL = 1;

  private long flag;

  /** A stream of the thread's context that does nothing until the flag is set. */
  private long waiting() {
    flag = allocate();
    ok(gpus.cuMemsetD32_v2(flag, 0, 1));
    ok(gpus.cuCtxSynchronize());
    long stream = stream();
    ok(gpus.cuStreamWaitValue32_v2(stream, flag, 1, EQUAL));
    return stream;
  }

  private void setFlag() {
    long setting = stream();
    ok(gpus.cuStreamWriteValue32_v2(setting, flag, 1, 0));
    ok(gpus.cuStreamSynchronize(setting));
  }

  private void holds(long memory, int value) {
    ok(gpus.cuMemcpyDtoH_v2(data, memory, BYTES));
    assertEquals(value, Native.getInt(data));
    assertEquals(value, Native.getInt(data + BYTES - 4));
  }

  /** From and to either host, in a stream of either. */
  @ParameterizedTest
  @CsvSource({"0, 2, 0", "0, 2, 2", "2, 0, 0", "2, 0, 2"})
  void aCopyReturnsBeforeTheWorkThatItWaitsFor(int from, int to, int asking) throws IOException {
    begin();
    long there = context(from);
    long source = allocate();
    ok(gpus.cuMemsetD32_v2(source, 5, BYTES / 4));
    ok(gpus.cuCtxSynchronize());
    context(to);
    long destination = allocate();
    ok(gpus.cuMemsetD32_v2(destination, 0, BYTES / 4));
    ok(gpus.cuCtxSynchronize());
    context(asking);
    long stream = waiting();
    ok(gpus.cuMemcpyDtoDAsync_v2(destination, source, BYTES, stream));
    long done = event();
    ok(gpus.cuEventRecord(done, stream));
    assertEquals(CudaResult.NOT_READY, gpus.cuEventQuery(done));
    // The copy takes what is there once the stream gets to it.
    ok(gpus.cuCtxSetCurrent(there));
    long fill = stream();
    ok(gpus.cuMemsetD32Async(source, 7, BYTES / 4, fill));
    ok(gpus.cuStreamSynchronize(fill));
    context(asking);
    setFlag();
    ok(gpus.cuEventSynchronize(done));
    holds(destination, 7);
  }

  /** Each copy takes what the one before has brought. */
  @Test
  void copiesKeepTheOrderOfTheirStream() throws IOException {
    begin();
    long[] memories = new long[4];
    for (int device = 0; device < 4; device++) {
      context(device);
      memories[device] = allocate();
    }
    for (int device : new int[] {0, 2}) {
      context(device);
      long stream = stream();
      for (int round = 1; round <= 100; round++) {
        long source = memories[device];
        ok(gpus.cuMemsetD32Async(source, round, BYTES / 4, stream));
        ok(gpus.cuMemcpyDtoDAsync_v2(memories[2 - device], source, BYTES, stream));
        ok(gpus.cuMemsetD32Async(source, 0, BYTES / 4, stream));
        ok(gpus.cuMemcpyDtoDAsync_v2(memories[device + 1], memories[2 - device], BYTES, stream));
        ok(gpus.cuMemcpyDtoDAsync_v2(source, memories[device + 1], BYTES, stream));
      }
      ok(gpus.cuStreamSynchronize(stream));
      holds(memories[2 - device], 100);
      holds(memories[device], 100);
    }
  }

  @Test
  void linesAreCopiedInOrder() throws IOException {
    begin();
    context(2);
    long source = allocate();
    ok(gpus.cuMemsetD32_v2(source, 3, BYTES / 4));
    ok(gpus.cuCtxSynchronize());
    context(0);
    long destination = allocate();
    ok(gpus.cuMemsetD32_v2(destination, 1, BYTES / 4));
    ok(gpus.cuCtxSynchronize());
    long stream = waiting();
    ok(gpus.outboardMemcpy2D(destination, 64, source, 128, 8, 16, stream));
    ok(gpus.cuMemsetD32Async(destination, 9, 1, stream));
    setFlag();
    ok(gpus.cuStreamSynchronize(stream));
    ok(gpus.cuMemcpyDtoH_v2(data, destination, BYTES));
    assertEquals(9, Native.getInt(data));
    assertEquals(3, Native.getInt(data + 4));
    assertEquals(1, Native.getInt(data + 8));
    assertEquals(3, Native.getInt(data + 15 * 64));
    assertEquals(1, Native.getInt(data + 16 * 64));
  }

  /** What is waited for is the event as it was when the call was made. */
  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void anEventOfAnotherHostHoldsTheStreamAlone(int device) throws IOException {
    begin();
    context(2 - device);
    long done = event();
    long later = event();
    long other = stream();
    ok(gpus.cuEventRecord(later, other));
    context(device);
    long stream = stream();
    long target = allocate();
    ok(gpus.cuMemsetD32_v2(target, 0, BYTES / 4));
    ok(gpus.cuCtxSynchronize());
    context(2 - device);
    long first = waiting();
    ok(gpus.cuEventRecord(done, first));
    context(device);
    ok(gpus.cuStreamWaitEvent(stream, done, 0));
    ok(gpus.cuMemsetD32Async(target, 4, BYTES / 4, stream));
    long free = stream();
    ok(gpus.cuStreamWaitEvent(free, later, 0));
    ok(gpus.cuStreamSynchronize(free));
    assertEquals(CudaResult.NOT_READY, gpus.cuStreamQuery(stream));
    context(2 - device);
    setFlag();
    long second = waiting();
    ok(gpus.cuEventRecord(done, second));
    context(device);
    ok(gpus.cuStreamSynchronize(stream));
    holds(target, 4);
    context(2 - device);
    setFlag();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void anErrorIsToldOnceByACallThatWaits(int device) throws IOException {
    begin();
    context(2 - device);
    long source = allocate();
    context(device);
    long destination = allocate();
    long stream = stream();
    ok(gpus.cuMemcpyDtoDAsync_v2(destination, source + BYTES / 2, BYTES, stream));
    ok(gpus.cuMemsetD32Async(destination, 6, BYTES / 4, stream));
    assertEquals(CudaResult.INVALID_VALUE, gpus.cuStreamSynchronize(stream));
    ok(gpus.cuStreamSynchronize(stream));
    holds(destination, 6);
  }

  @Test
  void aStreamIsLetGoWhenTheHostThatItWaitsForIsLost() throws IOException {
    begin();
    context(2);
    long there = waiting();
    long done = event();
    ok(gpus.cuEventRecord(done, there));
    context(0);
    long stream = stream();
    ok(gpus.cuStreamWaitEvent(stream, done, 0));
    assertEquals(CudaResult.NOT_READY, gpus.cuStreamQuery(stream));
    host.end();
    long begin = System.nanoTime();
    assertEquals(CudaResult.DEVICE_UNAVAILABLE, gpus.cuStreamSynchronize(stream));
    assertTrue(System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(5));
    ok(gpus.cuStreamSynchronize(stream));
    ok(gpus.cuMemFree_v2(allocate()));
  }

  /** More calls behind a held stream than its queue takes. */
  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void aProgramThatRunsFarAheadHoldsNothingUp(int device) throws Exception {
    begin();
    long there = context(2 - device);
    long first = waiting();
    long done = event();
    ok(gpus.cuEventRecord(done, first));
    long held = context(device);
    long memory = allocate();
    long stream = stream();
    ok(gpus.cuStreamWaitEvent(stream, done, 0));
    AtomicInteger asked = new AtomicInteger();
    int all = 3 * Stream.LIMIT;
    Thread program =
        Thread.ofPlatform()
            .start(
                () -> {
                  ok(gpus.cuCtxSetCurrent(held));
                  for (int i = 0; i < all; i++) {
                    ok(gpus.cuMemsetD32Async(memory, asked.incrementAndGet(), 1, stream));
                  }
                });
    while (asked.get() <= RunAhead.MOST) {
      Thread.onSpinWait();
    }
    ok(gpus.cuCtxSetCurrent(there));
    setFlag();
    program.join();
    ok(gpus.cuCtxSetCurrent(held));
    ok(gpus.cuStreamSynchronize(stream));
    ok(gpus.cuMemcpyDtoH_v2(data, memory, 4));
    assertEquals(all, Native.getInt(data));
  }

  @Test
  void acrossHostsNothingIsCaptured() throws IOException {
    begin();
    context(2);
    long source = allocate();
    long done = event();
    ok(gpus.cuEventRecord(done, 0));
    context(0);
    long destination = allocate();
    long stream = stream();
    ok(gpus.cuStreamBeginCapture_v2(stream, 2));
    assertEquals(CudaResult.STREAM_CAPTURE_ISOLATION, gpus.cuStreamWaitEvent(stream, done, 0));
    ok(gpus.cuStreamEndCapture(stream, out));
    ok(gpus.cuGraphDestroy(Native.getLong(out)));
    ok(gpus.cuStreamBeginCapture_v2(stream, 2));
    assertEquals(
        CudaResult.STREAM_CAPTURE_UNSUPPORTED,
        gpus.cuMemcpyDtoDAsync_v2(destination, source, BYTES, stream));
    assertEquals(CudaResult.STREAM_CAPTURE_INVALIDATED, gpus.cuStreamEndCapture(stream, out));
    ok(gpus.cuMemcpyDtoDAsync_v2(destination, source, BYTES, stream));
    ok(gpus.cuStreamSynchronize(stream));
  }

  /** Counts the streams and the page-locked memory that there are. */
  private static final class Counting extends CudaDriverForwarding {
    private final AtomicInteger streams = new AtomicInteger();
    private final AtomicInteger locked = new AtomicInteger();

    Counting(CudaDriver delegate) {
      super(delegate);
    }

    private static int counted(int result, AtomicInteger count, int change) {
      count.addAndGet(result == CudaResult.SUCCESS ? change : 0);
      return result;
    }

    @Override
    public int cuStreamCreate(long stream, int flags) {
      return counted(delegate.cuStreamCreate(stream, flags), streams, 1);
    }

    @Override
    public int cuStreamDestroy_v2(long stream) {
      return counted(delegate.cuStreamDestroy_v2(stream), streams, -1);
    }

    @Override
    public int outboardHostMap(long device, long address, long bytes, int flags) {
      return counted(delegate.outboardHostMap(device, address, bytes, flags), locked, 1);
    }

    @Override
    public int outboardHostUnmap(long address) {
      return counted(delegate.outboardHostUnmap(address), locked, -1);
    }
  }

  /** Whatever was asked for, and of a stream that there is not. */
  @Test
  void nothingIsLeft() throws Exception {
    Counting far = new Counting(gpu().in(FarHost.SLOT).devices(2).build());
    Counting near = new Counting(gpu().devices(2).in(HERE).build());
    begin(far, FarHost.SLOT.number(), near);
    context(2);
    long source = allocate();
    context(0);
    long destination = allocate();
    for (int device : new int[] {0, 2}) {
      context(device);
      long stream = stream();
      long wrong = stream();
      ok(gpus.cuStreamDestroy_v2(wrong));
      for (int round = 0; round < HoldWords.COUNT + 100; round++) {
        ok(gpus.cuMemcpyDtoDAsync_v2(destination, source, 8, stream));
      }
      ok(gpus.cuStreamSynchronize(stream));
      assertEquals(
          CudaResult.INVALID_HANDLE, gpus.cuMemcpyDtoDAsync_v2(destination, source, 8, wrong));
      ok(gpus.cuStreamDestroy_v2(stream));
      ok(gpus.cuCtxSynchronize());
    }
    assertTrue(far.locked.get() == 1 && near.locked.get() == 1);
    assertTrue(far.streams.get() <= 32 && near.streams.get() <= 32);
    for (int device : new int[] {0, 2}) {
      ok(gpus.cuDevicePrimaryCtxReset_v2(device));
    }
    assertEquals(0, far.streams.get());
    assertEquals(0, near.streams.get());
    assertEquals(0, far.locked.get());
    assertEquals(0, near.locked.get());
  }
}
