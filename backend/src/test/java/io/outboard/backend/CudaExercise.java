// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import io.outboard.backend.system.NativeBuffer;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaDriverRemote;
import io.outboard.wire.Handles;
import io.outboard.wire.Native;
import java.nio.charset.StandardCharsets;
import java.util.Random;

/** Calls of every kind in random order, most of them right; their results are not looked at. */
final class CudaExercise implements AutoCloseable {
  private static final String KERNEL =
      """
      .version 6.3
      .target sm_75
      .address_size 64
      .global .u32 word;
      .visible .entry put(.param .u64 to, .param .u32 what)
      {
      .reg .b64 %rd<3>;
      .reg .b32 %r<2>;
      ld.param.u64 %rd1, [to];
      ld.param.u32 %r1, [what];
      cvta.to.global.u64 %rd2, %rd1;
      st.global.u32 [%rd2], %r1;
      ret;
      }
      """;

  private static final int BYTES = 4096;

  private final DamagedCaller caller;
  private final CudaDriver gpu;
  private final Random random;
  private final NativeBuffer buffer = new NativeBuffer(64 << 10);
  private final long out = buffer.address();
  private final long data = buffer.address() + BYTES;
  private final long image = buffer.address() + 8L * BYTES;
  private final int imageBytes;
  private long context;
  private long module;
  private long function;
  private long stream;
  private long event;
  private long memory;

  CudaExercise(DamagedCaller caller, Random random) {
    this.caller = caller;
    this.gpu = new CudaDriverRemote(caller);
    this.random = random;
    byte[] text = (KERNEL + "\0").getBytes(StandardCharsets.US_ASCII);
    for (int i = 0; i < text.length; i++) {
      Native.putByte(image + i, text[i]);
    }
    imageBytes = text.length;
  }

  /** Makes so many steps, or less where the session ends before. */
  void run(int steps) {
    prepare();
    for (int i = 0; i < steps && !caller.isOver(); i++) {
      step(random.nextInt(27));
    }
  }

  private void prepare() {
    gpu.cuInit(0);
    gpu.cuDevicePrimaryCtxRetain(out, 0);
    context = Native.getLong(out);
    caller.lane(Handles.index(context));
    if (random.nextInt(4) == 0) {
      loadModule();
    }
    gpu.cuStreamCreate(out, 1);
    stream = Native.getLong(out);
    gpu.cuEventCreate(out, 0);
    event = Native.getLong(out);
    gpu.cuMemAlloc_v2(out, BYTES);
    memory = Native.getLong(out);
  }

  private void loadModule() {
    gpu.cuModuleLoadData(out, image, imageBytes);
    module = Native.getLong(out);
    gpu.cuModuleGetFunction(out, module, name("put"));
    function = Native.getLong(out);
  }

  private long name(String text) {
    byte[] bytes = (text + "\0").getBytes(StandardCharsets.US_ASCII);
    for (int i = 0; i < bytes.length; i++) {
      Native.putByte(data + i, bytes[i]);
    }
    return data;
  }

  private void step(int which) {
    switch (which) {
      case 0 -> gpu.cuMemcpyHtoD_v2(memory, data, random.nextInt(BYTES));
      case 1 -> gpu.cuMemcpyDtoH_v2(data, memory, random.nextInt(BYTES));
      case 2 -> gpu.cuMemcpyHtoDAsync_v2(memory, data, random.nextInt(BYTES), stream);
      case 3 -> gpu.cuMemcpyDtoHAsync_v2(data, memory, random.nextInt(BYTES), stream);
      case 4 -> gpu.cuMemcpyDtoD_v2(memory, memory + BYTES / 2, random.nextInt(BYTES / 2));
      case 5 -> gpu.cuMemsetD8_v2(memory, (byte) 3, random.nextInt(BYTES));
      case 6 -> gpu.cuMemsetD32_v2(memory, 3, random.nextInt(BYTES / 4));
      case 7 -> launch();
      case 8 -> gpu.cuLaunchHostFunc(stream, data, 0);
      case 9 -> gpu.cuStreamSynchronize(stream);
      case 10 -> gpu.cuStreamQuery(stream);
      case 11 -> gpu.cuEventRecord(event, stream);
      case 12 -> gpu.cuEventSynchronize(event);
      case 13 -> gpu.cuStreamWaitEvent(stream, event, 0);
      case 14 -> gpu.cuCtxSynchronize();
      case 15 -> gpu.cuMemGetInfo_v2(out, out + 8);
      case 16 -> gpu.cuDeviceGetName(out, 100, 0);
      case 17 -> gpu.cuDeviceGetAttribute(out, random.nextInt(150), 0);
      case 18 -> gpu.cuModuleGetGlobal_v2(out, out + 8, module, name("word"));
      case 19 -> gpu.cuModuleEnumerateFunctions(out, 4, module);
      case 20 -> gpu.cuFuncGetAttribute(out, random.nextInt(12), function);
      case 21 -> gpu.cuEventElapsedTime_v2(out, event, event);
      case 22 -> gpu.cuStreamGetCtx(stream, out);
      case 23 -> gpu.cuMemGetAddressRange_v2(out, out + 8, memory);
      default -> replace(which);
    }
  }

  private void launch() {
    Native.putLong(data, memory);
    Native.putInt(data + 8, 5);
    gpu.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, data, 12);
  }

  private void replace(int which) {
    switch (which) {
      case 24 -> {
        gpu.cuMemFree_v2(memory);
        gpu.cuMemAlloc_v2(out, BYTES);
        memory = Native.getLong(out);
      }
      case 25 -> {
        gpu.cuStreamDestroy_v2(stream);
        gpu.cuStreamCreate(out, 0);
        stream = Native.getLong(out);
      }
      default -> {
        if (random.nextInt(10) == 0) {
          gpu.cuModuleUnload(module);
          loadModule();
        }
      }
    }
  }

  @Override
  public void close() {
    buffer.close();
  }
}
