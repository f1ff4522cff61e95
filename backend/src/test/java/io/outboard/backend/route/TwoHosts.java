// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.route;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.outboard.backend.devices.SilentConsole;
import io.outboard.backend.system.NativeBuffer;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaResult;
import io.outboard.softgpu.SoftGpu;
import io.outboard.wire.Native;
import io.outboard.wire.Slot;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;

/** Two devices here and two on another host. */
abstract class TwoHosts {
  static final Slot HERE = new Slot(0);
  static final int BYTES = 4096;

  final NativeBuffer buffer = new NativeBuffer(4L * BYTES);
  final long out = buffer.address();
  final long data = buffer.address() + BYTES;
  FarHost host;
  CudaDriver gpus;

  static SoftGpu.Builder gpu() {
    return SoftGpu.builder(new SilentConsole()).memoryBytes(64 << 20);
  }

  /** Whatever the far one says of itself. */
  final void begin(SoftGpu.Builder there, int tag) throws IOException {
    begin(there.devices(2).build(), tag);
  }

  final void begin(CudaDriver there, int tag) throws IOException {
    begin(there, tag, gpu().devices(2).in(HERE).build());
  }

  final void begin(CudaDriver there, int tag, CudaDriver here) throws IOException {
    host = new FarHost(there, tag);
    gpus = host.with(here);
    ok(gpus.cuInit(0));
  }

  final void begin() throws IOException {
    begin(gpu().in(FarHost.SLOT), FarHost.SLOT.number());
  }

  @AfterEach
  void end() {
    host.close();
    buffer.close();
  }

  static void ok(int result) {
    assertEquals(CudaResult.SUCCESS, result);
  }

  final long context(int device) {
    ok(gpus.cuDevicePrimaryCtxRetain(out, device));
    long context = Native.getLong(out);
    ok(gpus.cuCtxSetCurrent(context));
    return context;
  }

  final long allocate() {
    ok(gpus.cuMemAlloc_v2(out, BYTES));
    return Native.getLong(out);
  }

  final long stream() {
    ok(gpus.cuStreamCreate(out, 1));
    return Native.getLong(out);
  }

  final long event() {
    ok(gpus.cuEventCreate(out, 0));
    return Native.getLong(out);
  }
}
